import type { Phrasebook } from '../phrasebook.ts';
import { collecting } from './collecting.ts';
import { helping } from './helping.ts';
import { manners } from './manners.ts';
import { matter } from './matter.ts';
import { opening } from './opening.ts';
import { selling } from './selling.ts';

export const russian: Phrasebook = { ...opening, ...matter, ...manners, ...selling, ...helping, ...collecting };
