import { answersJsonSchema, readAnswers, type ModelAnswers } from '../../model/model-answers.ts';
import { AnalysisError } from './errors.ts';
import type { LanguageModel, TokenUse } from './interface.ts';
import type { SdkClient, Turn, Written } from './sdk-client.ts';

const textLengthMax = 200_000;
const brokenLengthMax = 20_000;

/**
 * A language model behind the SDK: asks, parses the answer, and asks once more if it is malformed. Tokens of both
 * requests count.
 */
export function createLanguageModel({
  name,
  connect,
}: {
  name: string;
  connect: () => Promise<SdkClient>;
}): LanguageModel {
  let client: Promise<SdkClient> | undefined;
  return {
    name,
    async ask(prompt, signal) {
      client ??= connect();
      const { write } = await client;
      const asked: Turn[] = [{ role: 'user', content: prompt.user }];
      const first = await write({ system: prompt.system, turns: asked, schema: answersJsonSchema, signal });
      const answers = parse(first);
      if (answers) return { answers, ...tokensOf(first) };
      const turns = [...asked, ...mending(first)];
      const second = await write({ system: prompt.system, turns, schema: answersJsonSchema, signal });
      const mended = parse(second);
      if (mended) return { answers: mended, ...tokensOf(first, second) };
      throw new AnalysisError('ANALYSIS_BAD_RESPONSE', 'The language model did not answer in the requested form.', {
        internal: `${first.text.length} and ${second.text.length} characters, ended by ${second.finish}`,
      });
    },
  };
}

/** Null for a malformed answer. Throws if the model declines to answer. */
function parse({ text, finish }: Written): ModelAnswers | null {
  if (finish === 'content-filter') {
    throw new AnalysisError('ANALYSIS_REFUSED', 'The language model declined to answer about this call.');
  }
  return finish === 'length' ? null : readAnswers(parseJson(text.slice(0, textLengthMax)));
}

/** Some models wrap their JSON in a code fence, or put a word before it. */
function parseJson(text: string): unknown {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch {
    return undefined;
  }
}

function mending({ text, finish }: Written): Turn[] {
  const reason =
    finish === 'length' ? 'was cut off: write less, with fewer and shorter quotes' : 'was not in that form';
  const content = `Your answer ${reason}. Answer again with the JSON object alone.`;
  const broken: Turn[] = text.trim() === '' ? [] : [{ role: 'assistant', content: text.slice(0, brokenLengthMax) }];
  return [...broken, { role: 'user', content }];
}

function tokensOf(...written: readonly Written[]): TokenUse {
  return {
    inputTokens: written.reduce((sum, each) => sum + each.inputTokens, 0),
    outputTokens: written.reduce((sum, each) => sum + each.outputTokens, 0),
  };
}
