import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';

type CheckboxProps = {
  /** What it stands for, where no words of its own are beside it. */
  label: string;
  isChecked: boolean;
  /** Some of what it stands for is chosen. */
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
