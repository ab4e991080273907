import { useSyncExternalStore } from 'react';
import { storage } from '../lib/storage.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

const key = 'earshot.theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

systemDark.addEventListener('change', apply);

/** The chosen theme; `public/theme.js` applies it before the first paint. */
export function useTheme(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, choiceNow), choose];
}

/** For canvas drawings, which style sheets do not reach. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme === 'dark');
}

function choose(choice: ThemeChoice): void {
  storage.write(key, choice === 'system' ? null : choice);
  apply();
}

function choiceNow(): ThemeChoice {
  const stored = storage.read(key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function apply(): void {
  const choice = choiceNow();
  const isDark = choice === 'dark' || (choice === 'system' && systemDark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
