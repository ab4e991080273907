import type { Graph } from './imports.ts';

/** Draws the folders from top to bottom with their imports. For a graph without circles. */
export function drawRooms(graph: Graph): string {
  const heights = heightsOf(graph);
  const layers = Map.groupBy([...graph.keys()].sort(), (room) => heights.get(room) ?? 0);
  const down = [...layers].sort(([a], [b]) => b - a);
  const rows = down.map(([height, rooms]) => `| ${height} | ${rooms.map((room) => `\`${room}\``).join(', ')} |`);
  const arrows = [...graph.keys()].sort().flatMap((room) => {
    const direct = [...directOf(graph, room)].sort();
    return direct.length === 0 ? [] : [`  ${idOf(room)} --> ${direct.map(idOf).join(' & ')}`];
  });
  const names = [...graph.keys()].sort().map((room) => `  ${idOf(room)}["${room}"]`);
  return [
    '# Architecture',
    '',
    '`npm run architecture` writes this page from the imports of `src`, and a test checks it. The folders of `domain`,',
    '`pipeline`, `providers` and `scoring` are shown separately. Every folder imports only folders of lower layers:',
    '`domain/processing` may use `domain/records`, never the other way round. Type-only imports are not shown.',
    '',
    '| layer | folders |',
    '| ----: | ----- |',
    ...rows,
    '',
    'An arrow is omitted where a longer path leads to the same folder.',
    '',
    '```mermaid',
    'flowchart TB',
    ...names,
    ...arrows,
    '```',
    '',
  ].join('\n');
}

/** The folders of `src/domain`, by name. */
export function domainsOf(graph: Graph): string[] {
  return [...graph.keys()].flatMap((room) => /^domain\/(.+)$/.exec(room)?.[1] ?? []).sort();
}

/** The arrows that no longer path replaces, in the syntax of mermaid. */
export function arrowsOf(graph: Graph): string[] {
  return [...graph.keys()].flatMap((room) =>
    [...directOf(graph, room)].map((next) => `${idOf(room)} --> ${idOf(next)}`),
  );
}

/** The length of the longest path down from each folder. */
function heightsOf(graph: Graph): Map<string, number> {
  const heights = new Map<string, number>();
  const heightOf = (room: string): number => {
    const known = heights.get(room);
    if (known !== undefined) return known;
    const height = Math.max(-1, ...[...(graph.get(room) ?? [])].map(heightOf)) + 1;
    heights.set(room, height);
    return height;
  };
  for (const room of graph.keys()) heightOf(room);
  return heights;
}

/** What a folder imports and does not reach through another import. */
function directOf(graph: Graph, room: string): Set<string> {
  const direct = new Set(graph.get(room));
  for (const next of graph.get(room) ?? []) for (const far of reachableFrom(graph, next)) direct.delete(far);
  return direct;
}

function reachableFrom(graph: Graph, room: string, seen = new Set<string>()): Set<string> {
  for (const next of graph.get(room) ?? []) {
    if (seen.has(next)) continue;
    seen.add(next);
    reachableFrom(graph, next, seen);
  }
  return seen;
}

function idOf(room: string): string {
  return room.replaceAll(/[^a-z0-9]/g, '_');
}
