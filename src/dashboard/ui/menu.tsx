import { Menu as BaseMenu } from '@base-ui/react/menu';
import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';

type MenuProps = {
  trigger: ReactElement;
  align?: 'start' | 'end';
  side?: 'bottom' | 'top' | 'right';
  children: ReactNode;
};

/** A button with a list of actions. Its items are `MenuItem`, `MenuSeparator` and `MenuLabel`. */
export function Menu({ trigger, align = 'end', side = 'bottom', children }: MenuProps) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner align={align} side={side} sideOffset={6} className="z-50">
          <BaseMenu.Popup className="max-h-[min(24rem,var(--available-height))] max-w-[min(20rem,var(--available-width))] min-w-48 overflow-y-auto rounded-xl border border-line bg-surface p-1 shadow-float outline-none">
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

type MenuItemProps = {
  icon?: ReactNode;
  onSelect?: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
};

export function MenuItem({ icon, onSelect, isDanger = false, isDisabled = false, children }: MenuItemProps) {
  return (
    <BaseMenu.Item
      onClick={onSelect}
      disabled={isDisabled}
      className={clsx(
        'flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm outline-none select-none [&_svg]:size-4 [&_svg]:shrink-0',
        'data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-raised',
        isDanger ? 'text-bad' : 'text-ink',
      )}
    >
      {icon}
      {children}
    </BaseMenu.Item>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="my-1 h-px bg-line" />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <p className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-ink-faint">{children}</p>;
}
