const weigh = (weight: number, words: string): [string, number][] => words.split(/\s+/u).map((word) => [word, weight]);

export const POSITIVE_WORDS: ReadonlyMap<string, number> = new Map([
  ...weigh(
    1,
    'thanks thank please good nice glad okay fine welcome pleased helpful appreciate sure happy works worked',
  ),
  ...weigh(1, 'kind easy quick clear better sorted solved resolved fixed correct enjoy luck help helped'),
  ...weigh(2, 'great perfect lovely excellent wonderful brilliant fantastic awesome amazing superb delighted grateful'),
  ...weigh(2, 'love best impressed relief relieved marvellous terrific'),
]);

export const NEGATIVE_WORDS: ReadonlyMap<string, number> = new Map([
  ...weigh(1, 'problem problems issue trouble wrong broken lost late delay delayed error failed fail slow confused'),
  ...weigh(1, 'unfortunately difficult hard worried worry concerned stuck cannot unable missing bad complain cancel'),
  ...weigh(1, 'annoying annoyed disappointed disappointing unhappy upset waste waiting poor overcharged damaged'),
  ...weigh(2, 'terrible awful horrible ridiculous unacceptable angry furious useless disgusting appalling rude'),
  ...weigh(2, 'frustrated frustrating worst hate outrageous pathetic incompetent stupid idiot scam joke nightmare'),
]);
