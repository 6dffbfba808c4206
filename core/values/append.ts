/**
 * Appends items to a list of any length: `list.push(...items)` passes each as an argument, and a
 * call takes only some 120,000.
 */
export function appendAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
