import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import * as z from 'zod/mini';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';
import { CallsSearch } from './search.ts';

const Views = z.catch(z.array(z.object({ name: z.string(), search: CallsSearch })), []);
type View = z.infer<typeof Views>[number];

type Props = { search: CallsSearch; onOpen: (search: CallsSearch) => void };

/** Addresses of the list, saved by name in this browser. */
export function SavedViews({ search, onOpen }: Props) {
  const { org } = useMe();
  const [views, setViews] = useViews(org.id);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const { page: _page, ...view } = search;
  const isPlain = Object.values(view).every((value) => value === undefined);
  return (
    <>
      <Menu
        trigger={
          <Button icon={<Bookmark className="size-4" aria-hidden />}>
            <span className="max-sm:sr-only">Views</span>
          </Button>
        }
      >
        {views.length > 0 && <MenuLabel>Saved in this browser</MenuLabel>}
        {views.map(({ name, search: saved }) => (
          <MenuItem key={name} icon={<Bookmark aria-hidden />} onSelect={() => onOpen(saved)}>
            {name}
          </MenuItem>
        ))}
        {views.length > 0 && <MenuSeparator />}
        <MenuItem icon={<BookmarkPlus aria-hidden />} isDisabled={isPlain} onSelect={() => setDialog('save')}>
          {isPlain ? 'Filter or sort to save a view' : 'Save this view…'}
        </MenuItem>
        {views.length > 0 && (
          <MenuItem icon={<Trash2 aria-hidden />} onSelect={() => setDialog('manage')}>
            Remove views…
          </MenuItem>
        )}
      </Menu>
      {dialog === 'save' && (
        <SaveDialog
          onClose={() => setDialog(null)}
          onSave={(name) => {
            setViews([...views.filter((other) => other.name !== name), { name, search: view }]);
            setDialog(null);
            toast.done('View saved', `${name} is under Views in this browser.`);
          }}
        />
      )}
      <Dialog isOpen={dialog === 'manage'} onClose={() => setDialog(null)} title="Saved views">
        <ul className="divide-y divide-line pb-3">
          {views.map((saved) => (
            <li key={saved.name} className="flex items-center justify-between gap-3 py-2 text-sm">
              <span className="min-w-0 truncate">{saved.name}</span>
              <Button
                size="sm"
                variant="danger"
                aria-label={`Remove ${saved.name}`}
                onClick={() => {
                  const left = views.filter((other) => other !== saved);
                  setViews(left);
                  if (left.length === 0) setDialog(null);
                }}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

function SaveDialog({ onClose, onSave }: { onClose: () => void; onSave: (name: string) => void }) {
  const formId = useId();
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name === '') return setError('Give the view a name.');
    onSave(name);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save this view"
      description="Filters, order and search, in this browser. To share them, send the address of the page."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary">
            Save view
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field label="Name" error={error}>
          {(props) => <Input {...props} name="name" maxLength={60} placeholder="Low scores of this week" />}
        </Field>
      </form>
    </Dialog>
  );
}

function useViews(orgId: string): [View[], (views: View[]) => void] {
  const key = `earshot.views.${orgId}`;
  const [views, setViews] = useState(() => read(key));
  return [
    views,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      setViews(next);
    },
  ];
}

function read(key: string): View[] {
  try {
    return Views.parse(JSON.parse(localStorage.getItem(key) ?? '[]'));
  } catch {
    return [];
  }
}
