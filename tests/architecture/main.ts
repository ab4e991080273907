import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readImports, roomGraph } from './imports.ts';
import { drawRooms } from './picture.ts';

const page = fileURLToPath(new URL('../../docs/architecture.md', import.meta.url));

writeFileSync(page, drawRooms(roomGraph(readImports())));
execFileSync('npx', ['oxfmt', page]);
