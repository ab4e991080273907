import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { clsx } from 'clsx';

type SwitchProps = {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
  className?: string;
};

/** An immediate on/off switch. The label is for screen readers. */
export function Switch({ label, isOn, onChange, isDisabled = false, className }: SwitchProps) {
  return (
    <BaseSwitch.Root
      aria-label={label}
      checked={isOn}
      disabled={isDisabled}
      onCheckedChange={onChange}
      className={clsx(
        'relative inline-flex h-5 w-9 shrink-0 cursor-pointer items-center rounded-full border border-line-strong bg-raised p-0.5 transition-colors',
        'data-[checked]:border-accent data-[checked]:bg-accent data-[disabled]:cursor-not-allowed data-[disabled]:opacity-60',
        className,
      )}
    >
      <BaseSwitch.Thumb className="size-3.5 rounded-full bg-line-strong transition-transform data-[checked]:translate-x-4 data-[checked]:bg-on-accent" />
    </BaseSwitch.Root>
  );
}
