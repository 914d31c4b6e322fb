export const icons: Record<string, [element: string, attributes: Record<string, string>][]>;
