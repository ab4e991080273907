import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const source = fileURLToPath(new URL('../../src', import.meta.url));
/** Folders whose own folders are rooms. */
const divided = new Set(['domain', 'pipeline', 'providers', 'scoring']);

export type Import = { from: string; to: string; isType: boolean };
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Every import of one of our own files by another, by their paths in `src`. */
export function readImports(): Import[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return files.flatMap((file) => importsOf(file, readFileSync(path.join(source, file), 'utf8')));
}

export function importsOf(from: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean): void => {
    if (!specifier || !ts.isStringLiteral(specifier) || !/^\..*\.tsx?$/.test(specifier.text)) return;
    found.push({ from, to: path.normalize(path.join(path.dirname(from), specifier.text)), isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isOfTypes(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(from, text, ts.ScriptTarget.Latest));
  return found;
}

/** The packages that a file of `src` needs at run time, by their names. */
export function packagesOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(withoutTypes(readFileSync(path.join(source, file), 'utf8')));
  return importedFiles.flatMap(({ fileName }) => /^(?:@[^/]+\/)?[a-z][^/:]*(?=\/|$)/.exec(fileName) ?? []);
}

/** As Node runs it: imports of types are gone. */
function withoutTypes(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

function isOfTypes({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** The folder that a file belongs to. The files of `src` itself start the process and are one room. */
export function roomOf(file: string): string {
  const [folder = '', inner] = path.dirname(file).split('/');
  if (folder === '.') return 'src';
  return inner !== undefined && divided.has(folder) ? `${folder}/${inner}` : folder;
}

export function fileGraph(imports: readonly Import[]): Graph {
  return graphOf(imports.map(({ from, to }) => [from, to]));
}

/** Which rooms need which others at run time. */
export function roomGraph(imports: readonly Import[]): Graph {
  const values = imports.filter(({ isType }) => !isType);
  return graphOf(values.map(({ from, to }) => [roomOf(from), roomOf(to)]));
}

/** The same between the folders of `src`. */
export function folderGraph(imports: readonly Import[]): Graph {
  const values = imports.filter(({ isType }) => !isType);
  const folderOf = (file: string): string => roomOf(file).replace(/\/.*/, '');
  return graphOf(values.map(({ from, to }) => [folderOf(from), folderOf(to)]));
}

function graphOf(arrows: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of arrows) {
    for (const node of [from, to]) if (!graph.has(node)) graph.set(node, new Set());
    if (from !== to) graph.get(from)?.add(to);
  }
  return graph;
}

/** Groups of which each member leads to each other (Tarjan). */
export function circlesOf(graph: Graph): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      const reached = open.includes(next) ? lowest.get(next) : undefined;
      lowest.set(node, Math.min(lowest.get(node) ?? 0, reached ?? Infinity));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = open.splice(open.indexOf(node));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
