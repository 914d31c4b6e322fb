export const icons: Record<string, string>;
