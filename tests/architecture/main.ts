import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readImports, roomGraph } from './imports.ts';
import { domainsOf, drawRooms } from './picture.ts';

const page = fileURLToPath(new URL('../../docs/architecture.md', import.meta.url));
const readme = fileURLToPath(new URL('../../README.md', import.meta.url));
const graph = roomGraph(readImports());

writeFileSync(page, drawRooms(graph));
const domains = `domain["domain: ${domainsOf(graph).join(' · ')}"]`;
writeFileSync(readme, readFileSync(readme, 'utf8').replace(/domain\["domain: [^"]*"\]/, domains));
execFileSync('npx', ['oxfmt', page]);
