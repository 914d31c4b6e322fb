// Files that the shop makes, kept by the browser as downloads.

/** How long the address of a file holds: the browser may ask for it more than once. */
export const held = 60_000;

/**
 * save gives a file to the browser under a name.
 * @param {Blob} file
 * @param {string} name
 */
export function save(file, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), held);
}
