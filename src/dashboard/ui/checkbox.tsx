import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';

type CheckboxProps = {
  /** Its label, if there is no text beside it. */
  label: string;
  isChecked: boolean;
  /** Some of its items are selected. */
  isPartly?: boolean;
  onChange: () => void;
  className?: string;
};

export function Checkbox({ label, isChecked, isPartly = false, onChange, className }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <span className={clsx('-m-1.5 grid size-7 place-items-center', className)}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        onChange={onChange}
        className="size-4 cursor-pointer accent-accent"
      />
    </span>
  );
}
