export type Scope = Record<string, unknown>;
export type Expression = (scope: Scope) => unknown;

type Token = { kind: 'name' | 'number' | 'text' | 'symbol' | 'end'; text: string };

const tokenPattern =
  /\s+|([A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*)|(\d+(?:\.\d+)?)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(==|!=|<=|>=|&&|\|\||[<>!+()])/gy;

/**
 * Compiles the part of CEL that triggers and keys use: paths such as `event.data.orgId`, literals,
 * comparison, `&&`, `||`, `!`, `+` and brackets. Throws on anything else instead of misreading it.
 */
export function compileExpression(source: string): Expression {
  return new Parser(source).parse();
}

class Parser {
  readonly #source: string;
  readonly #tokens: Token[];
  #position = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  parse(): Expression {
    const expression = this.#or();
    if (this.#next.kind !== 'end') throw unsupported(this.#source);
    return expression;
  }

  get #next(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '' };
  }

  #accept(...symbols: string[]): string | undefined {
    const { kind, text } = this.#next;
    if (kind !== 'symbol' || !symbols.includes(text)) return undefined;
    this.#position += 1;
    return text;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#accept('||')) left = logical(left, this.#and(), (a, b) => a || b());
    return left;
  }

  #and(): Expression {
    let left = this.#comparison();
    while (this.#accept('&&')) left = logical(left, this.#comparison(), (a, b) => a && b());
    return left;
  }

  #comparison(): Expression {
    const left = this.#sum();
    const operator = this.#accept('==', '!=', '<', '<=', '>', '>=');
    if (!operator) return left;
    const right = this.#sum();
    return (scope) => compare(operator, left(scope), right(scope));
  }

  #sum(): Expression {
    let left = this.#unary();
    while (this.#accept('+')) left = sum(left, this.#unary());
    return left;
  }

  #unary(): Expression {
    if (this.#accept('!')) {
      const operand = this.#unary();
      return (scope) => !isTruthy(operand(scope));
    }
    if (this.#accept('(')) {
      const inner = this.#or();
      if (!this.#accept(')')) throw unsupported(this.#source);
      return inner;
    }
    const operand = toOperand(this.#next);
    if (!operand) throw unsupported(this.#source);
    this.#position += 1;
    return operand;
  }
}

/** Whether the expression holds; a missing one always does. */
export function holds(expression: Expression | undefined, scope: Scope): boolean {
  return expression === undefined || isTruthy(expression(scope));
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < source.length) {
    const match = tokenPattern.exec(source);
    if (!match) throw unsupported(source);
    const [, name, number, text, symbol] = match;
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (text !== undefined) tokens.push({ kind: 'text', text: text.slice(1, -1).replaceAll(/\\(.)/g, '$1') });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol });
  }
  return tokens;
}

const constants: Record<string, unknown> = { true: true, false: false, null: null };

function toOperand({ kind, text }: Token): Expression | undefined {
  if (kind === 'text') return () => text;
  if (kind === 'number') return () => Number(text);
  if (kind !== 'name') return undefined;
  if (Object.hasOwn(constants, text)) return () => constants[text];
  const [root = '', ...path] = text.split('.');
  if (root !== 'event') return undefined;
  return (scope) => path.reduce<unknown>(readProperty, scope[root]) ?? null;
}

function readProperty(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function logical(left: Expression, right: Expression, join: (a: boolean, b: () => boolean) => boolean): Expression {
  return (scope) => join(isTruthy(left(scope)), () => isTruthy(right(scope)));
}

function sum(left: Expression, right: Expression): Expression {
  return (scope) => {
    const [a, b] = [left(scope), right(scope)];
    return typeof a === 'number' && typeof b === 'number' ? a + b : `${toText(a)}${toText(b)}`;
  };
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  const isComparable = typeof left === typeof right && (typeof left === 'number' || typeof left === 'string');
  if (!isComparable) return false;
  const [a, b] = [left as number, right as number];
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

function isTruthy(value: unknown): boolean {
  return value === true;
}

/** Text of a key: what is missing reads as empty. */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function unsupported(source: string): Error {
  return new Error(`the expression "${source}" is not supported`);
}
