import type { ReactNode } from 'react';
import { formatBytes, formatClock, formatDateTime } from '../lib/format.ts';
import { languageName } from '../lib/languages.ts';
import { useCall } from './call-context.tsx';
import type { CallRecord } from './use-call-data.ts';
import { wordsOf } from './words.ts';

const sources: Record<CallRecord['source'], string> = { upload: 'Upload', api: 'API', bitrix24: 'Bitrix24' };

/** Everything known about the call besides its words. */
export function DetailsPanel() {
  const { record, transcript } = useCall();
  const { file, crm, metadata } = record;
  const more = Object.entries(metadata);
  return (
    <div className="grid gap-5">
      <Facts
        facts={[
          ['Agent', record.agentName],
          ['Customer', record.customerPhone],
          ['Direction', record.direction && wordsOf(record.direction)],
          ['Started', record.startedAt && formatDateTime(record.startedAt)],
          ['Received', formatDateTime(record.createdAt)],
          ['Completed', record.completedAt && formatDateTime(record.completedAt)],
          ['Length', record.duration === null ? null : formatClock(record.duration * 1000)],
          ['Language', record.language && languageName(record.language)],
          ['Source', sources[record.source]],
          ['External ID', record.externalId],
          ['Transcript', transcript && (transcript.source === 'supplied' ? 'Supplied' : transcript.model)],
          ['Redaction', transcript?.redactions ? `${transcript.redactions.length} redacted` : null],
        ]}
      />
      {file && (
        <Facts
          title="Recording"
          facts={[
            ['File', file.name],
            ['Type', file.contentType],
            ['Size', formatBytes(file.size)],
            ['Channels', record.channels],
            ['Damaged', file.damage && `${formatClock(file.damage.missingMs)} cannot be read`],
            [
              'SHA-256',
              <code key="sha256" className="text-xs break-all">
                {file.sha256}
              </code>,
            ],
          ]}
        />
      )}
      {crm && (
        <Facts
          title="CRM"
          facts={[
            [wordsOf(crm.entityType), crm.entityId],
            ['Activity', crm.activityId],
          ]}
        />
      )}
      {more.length > 0 && (
        <Facts
          title="Metadata"
          facts={more.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])}
        />
      )}
      <Facts
        title="IDs"
        facts={[
          [
            'Record',
            <code key="record" className="text-xs break-all">
              {record.id}
            </code>,
          ],
          [
            'Analysis',
            record.analysisId && (
              <code key="analysis" className="text-xs break-all">
                {record.analysisId}
              </code>
            ),
          ],
        ]}
      />
    </div>
  );
}

type Fact = [label: string, value: ReactNode];

function Facts({ title, facts }: { title?: string; facts: Fact[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <section>
      {title && <h2 className="mb-2 text-sm font-semibold">{title}</h2>}
      <dl className="grid gap-1.5 text-sm">
        {known.map(([label, value]) => (
          <div key={label} className="grid grid-cols-[7rem_1fr] gap-3">
            <dt className="break-words text-ink-faint">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
