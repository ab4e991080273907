import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useCan } from '../../session/me.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { PreviewPanel } from '../preview/preview-panel.tsx';
import { useCalls, usePreview } from '../preview/use-preview.ts';
import { counted } from '../words.ts';
import type { StoredProfile } from './draft.ts';
import { EditorActions } from './editor-actions.tsx';
import { EditorProvider, type Editor } from './editor-context.tsx';
import { showFault } from './show-fault.ts';
import { JsonView } from './json-view.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { RubricForm } from './rubric-form.tsx';
import { SaveBar } from './save-bar.tsx';
import { useIsWide } from './use-is-wide.ts';
import { useProfileEditor } from './use-profile-editor.ts';
import { VersionNote } from './version-note.tsx';

type Props = { profile: StoredProfile; latest: number; isEarlier: boolean };

/** The rubric beside its preview on a call; on a narrow screen, one or the other. */
export function ProfileEditor({ profile, latest, isEarlier }: Props) {
  const can = useCan();
  const search = useSearch({ from: '/app/profiles/$id' });
  const navigate = useNavigate({ from: '/profiles/$id' });
  const isWide = useIsWide();
  const editing = useProfileEditor(profile);
  const { draft, rubric, faults } = editing;
  const [openUids, setOpenUids] = useState<ReadonlySet<string>>(new Set());
  const [isJsonValid, setJsonValid] = useState(true);
  const root = useRef<HTMLDivElement>(null);
  const isReadOnly = !can('profiles:write') || isEarlier;
  const mayPreview = can('profiles:preview');
  const calls = useCalls(mayPreview);
  const recordId = search.call ?? calls.data?.data[0]?.id;
  const isValid = [...faults.keys()].every((path) => path === 'name' || path === 'description');
  const preview = usePreview({ profileId: profile.id, recordId: mayPreview ? recordId : undefined, rubric });
  const open = (uid: string): void => setOpenUids((now) => new Set([...now, uid]));
  const toggle = (uid: string): void =>
    setOpenUids((now) => (now.has(uid) ? new Set([...now].filter((other) => other !== uid)) : new Set([...now, uid])));
  const save = (): void => {
    const place = editing.save();
    if (place === null) return;
    void navigate({ search: (now) => ({ ...now, view: undefined, pane: undefined }), replace: true });
    showFault({ place, draft, open, root });
  };
  const editor: Editor = { ...editing, isReadOnly, preview: preview.data, openUids, toggle };
  const rubricPane =
    search.view === 'json' ? <JsonView key={String(isReadOnly)} onValidity={setJsonValid} /> : <RubricForm />;
  const previewPane = (
    <PreviewPanel calls={calls} recordId={recordId} preview={preview} faultCount={isValid ? 0 : faults.size} />
  );
  return (
    <EditorProvider value={editor}>
      <Page
        title={editing.base.name}
        back={<BackLink to="/profiles">All profiles</BackLink>}
        description={`Version ${profile.version === latest ? editing.base.version : profile.version} · ${counted(draft.categories.length, 'category', 'categories')} · ${counted(draft.compliance.length, 'compliance rule')}`}
        actions={<EditorActions isDirty={editing.isDirty} />}
      >
        <VersionNote
          profile={profile}
          isEarlier={isEarlier}
          latest={latest}
          faultCount={editing.showsAll ? faults.size : 0}
        />
        <div ref={root}>
          {!mayPreview && rubricPane}
          {mayPreview && isWide && (
            <div className="grid grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] items-start gap-5">
              {rubricPane}
              <div
                className="sticky top-4 max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-xl"
                tabIndex={0}
                role="region"
                aria-label="Preview"
              >
                {previewPane}
              </div>
            </div>
          )}
          {mayPreview && !isWide && (
            <Tabs
              label="Profile"
              value={search.pane ?? 'rubric'}
              onChange={(pane) =>
                void navigate({
                  search: (now) => ({ ...now, pane: pane === 'rubric' ? undefined : pane }),
                  replace: true,
                })
              }
              tabs={[
                { value: 'rubric', label: 'Rubric', content: rubricPane },
                { value: 'preview', label: 'Preview', content: previewPane },
              ]}
            />
          )}
        </div>
        {editing.isDirty && !isReadOnly && (
          <SaveBar editing={editing} isBlocked={search.view === 'json' && !isJsonValid} onSave={save} />
        )}
      </Page>
      <LeaveGuard isDirty={editing.isDirty} />
    </EditorProvider>
  );
}
