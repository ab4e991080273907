import { Check, Copy } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from './button.tsx';

type Props = { label: string; value: string; className?: string };

const shownMs = 2_000;

/** A value to copy: shown in full, copied with one press. */
export function CopyBlock({ label, value, className }: Props) {
  const id = useId();
  const text = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    text.current?.select();
    // Without a secure origin there is no clipboard: the text is selected for Ctrl-C.
    if (!window.isSecureContext) return;
    await navigator.clipboard.writeText(value).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), shownMs);
      },
      () => undefined,
    );
  };
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-xs font-medium text-ink-soft">
        {label}
      </label>
      <div className="flex items-start gap-2 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3">
        <textarea
          id={id}
          ref={text}
          readOnly
          rows={1}
          value={value}
          spellCheck={false}
          className="field-sizing-content min-w-0 flex-1 resize-none self-center rounded bg-transparent font-mono text-xs break-all"
        />
        <Button
          size="sm"
          onClick={() => void copy()}
          aria-label={isCopied ? `Copied: ${label}` : `Copy: ${label}`}
          icon={isCopied ? <Check className="size-3.5" aria-hidden /> : <Copy className="size-3.5" aria-hidden />}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
