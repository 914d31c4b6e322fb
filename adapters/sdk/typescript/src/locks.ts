/** What runs right now in this process or page, by name. */
const running = new Set<string>();

/**
 * alone runs work unless the same name is running already, here or in another tab of the site; then it answers undefined.
 * A closed tab lets go of its names.
 */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<{ value: T } | undefined> {
  if (running.has(name)) return undefined;
  running.add(name);
  try {
    return await across(name, { ifAvailable: true }, work);
  } finally {
    running.delete(name);
  }
}

/** across runs work under the site's lock of that name, where there is one; undefined if it was not to be had. */
export async function across<T>(name: string, how: LockOptions, work: () => Promise<T>): Promise<{ value: T } | undefined> {
  const locks = globalThis.navigator?.locks;
  let asked = false;
  const answer = async (free: boolean) => {
    asked = true;
    return free ? { value: await work() } : undefined;
  };
  if (!locks) return answer(true);
  try {
    return await locks.request(`cartwright:${name}`, how, (lock) => answer(lock !== null));
  } catch (e) {
    // A page without an origin of its own has no locks, and no other tabs.
    if (asked) throw e;
    return answer(true);
  }
}
