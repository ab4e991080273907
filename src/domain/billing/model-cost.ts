import { sql, type SQL } from 'drizzle-orm';
import type { Prices, TokenUse } from './prices.ts';

/** What the tokens of a language model cost, to the last decimal that is kept. */
export function modelCostOf({ inputTokens, outputTokens }: TokenUse, prices: Prices): SQL {
  return sql`round((${inputTokens}::int * ${prices.inputPerMillion}::numeric
    + ${outputTokens}::int * ${prices.outputPerMillion}::numeric) / 1000000, 4)`;
}
