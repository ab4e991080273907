import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** A component that the first screen does not need: loaded when the browser is idle. */
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
