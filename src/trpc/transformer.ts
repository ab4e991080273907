import { deserialize, serialize, type SuperJSONResult } from 'superjson';
import { isPlainJson } from '../lib/plain-json.ts';
import { refusePrototypes } from './input.ts';

type Transformer = { serialize: typeof serialize; deserialize: typeof deserialize };

/** superjson, which looks for dates and the like everywhere, but for lists of the answer that are known to hold none. */
export const transformer: Transformer = {
  serialize(data) {
    const isObject = typeof data === 'object' && data !== null;
    const lists = isObject ? Object.entries(data).filter(([, value]) => isPlainJson(value)) : [];
    if (lists.length === 0) return serialize(data);
    const { json, meta } = serialize({ ...data, ...Object.fromEntries(lists.map(([key]) => [key, null])) });
    const whole: SuperJSONResult['json'] = Object.assign({}, json, Object.fromEntries(lists));
    return { json: whole, ...(meta && { meta }) };
  },
  deserialize(sent) {
    refusePrototypes(sent);
    return deserialize(sent);
  },
};
