import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { formatClock, formatShare } from '../../lib/format.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { Badge, ComplianceBadge, ScoreBadge } from '../../ui/badge.tsx';
import { useEditor } from '../editor/editor-context.tsx';
import { AnswerBadge, answerLabel, type Answer } from './answer-badge.tsx';

type Preview = Outputs['profiles']['preview'];
type Analysis = Outputs['analyses']['get'];
type Evidence = Preview['checks'][number]['evidence'];
type Props = { preview: Preview; current: Analysis | undefined; recordId: string };

/** Scores, answers with evidence, and the differences from the call's analysis. */
export function PreviewResult({ preview, current, recordId }: Props) {
  const { draft } = useEditor();
  const before = new Map(
    [...(current?.checks ?? []), ...(current?.complianceFindings ?? [])].map((c) => [c.key, c.answer]),
  );
  const after = [...preview.checks, ...preview.complianceFindings];
  const changed = after.filter(({ key, answer }) => before.has(key) && before.get(key) !== answer).length;
  const row = { recordId, before: current ? before : null };
  return (
    <div className="grid grid-cols-1 gap-4">
      <Overall preview={preview} current={current} changed={changed} />
      {draft.categories.map(({ uid, key, title }) => (
        <section key={uid} aria-label={title}>
          <h3 className="mb-1 flex items-center justify-between gap-2 text-sm font-semibold">
            {title}
            <Change before={current?.automatic.categories[key]} after={preview.categories[key] ?? null} />
          </h3>
          <ul className="grid grid-cols-1 gap-1.5">
            {preview.checks
              .filter(({ category }) => category === key)
              .map((check) => (
                <AnswerRow key={check.key} result={check} {...row} />
              ))}
          </ul>
        </section>
      ))}
      {preview.complianceFindings.length > 0 && (
        <section aria-label="Compliance">
          <h3 className="mb-1 text-sm font-semibold">Compliance</h3>
          <ul className="grid grid-cols-1 gap-1.5">
            {preview.complianceFindings.map((finding) => (
              <AnswerRow key={finding.key} result={finding} {...row} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Overall({ preview, current, changed }: Omit<Props, 'recordId'> & { changed: number }) {
  return (
    <div className="grid grid-cols-1 gap-1.5 rounded-lg bg-raised p-3">
      <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        Quality score
        <Change before={current?.automatic.qualityScore} after={preview.qualityScore} />
        <ComplianceBadge status={preview.complianceStatus} isAlone />
      </p>
      <p className="text-xs text-ink-soft" role="status">
        {current
          ? `${changed === 0 ? 'No answer differs' : changed === 1 ? 'One answer differs' : `${changed} answers differ`} from the current analysis (${current.profile.name}, version ${current.profile.version}).`
          : 'The call has no analysis to compare with.'}
        {preview.judgedShare !== null &&
          ` ${formatShare(preview.judgedShare)} of the weight was judged${preview.qualityScore === null ? ', too little for a score' : ''}.`}
        {current?.engine.kind === 'model' && ' That one was answered by a language model; the preview asks none.'}
      </p>
    </div>
  );
}

/** `70 → 85`; if nothing changed, only the score. */
function Change({ before, after }: { before: number | null | undefined; after: number | null }) {
  if (before === undefined || before === after) return <ScoreBadge score={after} />;
  return (
    <span className="inline-flex items-center gap-1">
      <span className="text-xs text-ink-soft tabular-nums">
        <span className="sr-only">was </span>
        {before ?? '–'}
      </span>
      <ArrowRight className="size-3 text-ink-faint" aria-hidden />
      <ScoreBadge score={after} />
    </span>
  );
}

type Result = { key: string; title: string; answer: Answer; rationale: string; evidence: Evidence };
type RowProps = { result: Result; recordId: string; before: Map<string, Answer> | null };

function AnswerRow({ result, recordId, before }: RowProps) {
  const { key, title, answer, rationale, evidence } = result;
  const was = before?.get(key);
  return (
    <li className="rounded-lg border border-line px-3 py-2">
      <p className="flex items-start justify-between gap-x-2">
        <span className="min-w-0 font-medium">{title}</span>
        <span className="flex shrink-0 flex-wrap items-center justify-end gap-1.5 max-sm:max-w-1/2">
          {was !== undefined && was !== answer && <Badge tone="accent">was {answerLabel(was)}</Badge>}
          {before && was === undefined && <Badge tone="accent">new</Badge>}
          <AnswerBadge answer={answer} />
        </span>
      </p>
      <p className="mt-0.5 text-xs text-ink-soft">{rationale}</p>
      {evidence.map(({ segmentId, quote, startMs }) => (
        <blockquote key={`${segmentId}:${startMs}:${quote}`} className="mt-1 border-l-2 border-accent pl-2 text-xs">
          <Link
            to="/calls/$id"
            params={{ id: recordId }}
            search={{ t: startMs }}
            target="_blank"
            title="Hear it in a new tab"
            className="hover:underline"
          >
            <span className="mr-1.5 text-accent tabular-nums">{formatClock(startMs)}</span>“{quote}”
          </Link>
        </blockquote>
      ))}
    </li>
  );
}
