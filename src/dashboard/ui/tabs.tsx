import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type Tab<Value extends string> = {
  value: Value;
  label: string;
  count?: number | undefined;
  content: ReactNode;
  /** For tabs that fill their parent: without padding, as the content scrolls by itself. */
  isFlush?: boolean;
};
type TabsProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: Tab<Value>[];
  /** Takes the remaining height of its parent, and scrolls its content. */
  isFilling?: boolean;
};

export function Tabs<Value extends string>({ label, value, onChange, tabs, isFilling = false }: TabsProps<Value>) {
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={clsx(isFilling && 'flex min-h-0 flex-1 flex-col')}
    >
      <BaseTabs.List
        aria-label={label}
        className={clsx(
          'flex shrink-0 gap-1 overflow-x-auto overflow-y-hidden border-b border-line',
          isFilling && 'px-2 sm:px-4',
        )}
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="flex items-center gap-1.5 border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-ink-soft hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-accent aria-selected:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="rounded bg-raised px-1 text-xs tabular-nums">{tab.count}</span>
            )}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel
          key={tab.value}
          value={tab.value}
          className={clsx(
            isFilling ? 'relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2' : 'pt-4 outline-none',
            isFilling && !tab.isFlush && 'px-4 py-4 sm:px-6',
          )}
        >
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
