import { useEffect, type ReactNode } from 'react';

type PageProps = { title: string; back?: ReactNode; description?: ReactNode; actions?: ReactNode; children: ReactNode };

/** The layout of every screen: heading (and tab title), actions, content. */
export function Page({ title, back, description, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Earshot`;
  }, [title]);
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-5 sm:px-6 lg:px-8">
      <header className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          {back}
          <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
          {description && <p className="mt-0.5 text-sm text-ink-soft">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2 max-sm:has-[select]:w-full">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
