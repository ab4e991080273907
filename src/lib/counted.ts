/** "1 call", "2 calls": a number with the word for what it counts. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}
