import { sql, type SQL } from 'drizzle-orm';
import type { Prices, TokenUse } from './prices.ts';

/** The cost of a language model's tokens, with all decimals that are stored. */
export function modelCostOf({ inputTokens, outputTokens }: TokenUse, prices: Prices): SQL {
  return sql`round((${inputTokens}::int * ${prices.inputPerMillion}::numeric
    + ${outputTokens}::int * ${prices.outputPerMillion}::numeric) / 1000000, 4)`;
}
