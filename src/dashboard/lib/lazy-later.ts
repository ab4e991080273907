import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** A part that the first screen can do without: fetched as soon as the browser has nothing more urgent to do. */
export function lazyLater<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    await idle();
    return { default: await load() };
  });
}

const patienceMs = 2_000;

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks before version 26.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: patienceMs });
    else setTimeout(resolve, patienceMs / 10);
  });
}
