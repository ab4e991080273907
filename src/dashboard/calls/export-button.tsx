import { Download } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { saveFile, toCsv } from '../lib/csv.ts';
import { useTRPCClient, type Client } from '../lib/trpc.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { toListInput, type CallsSearch } from './search.ts';
import type { Call } from './use-calls.ts';

const pageSize = 100;
const rowsMax = 5_000;

/** Exports all pages of the filtered calls as a table for spreadsheets. */
export function ExportButton({ search }: { search: CallsSearch }) {
  const client = useTRPCClient();
  const [isBusy, setBusy] = useState(false);
  const exportAll = async (): Promise<void> => {
    setBusy(true);
    try {
      const { rows, total } = await readAll(client, search);
      saveFile({
        name: `calls-${new Date().toISOString().slice(0, 10)}.csv`,
        type: 'text/csv',
        text: toCsv(rows.map(toRow)),
      });
      const isCut = total > rows.length;
      toast.done(
        `${formatNumber(rows.length)} calls exported`,
        isCut ? `Of ${formatNumber(total)}. Narrow the filters, or use the API, for the others.` : undefined,
      );
    } catch (error) {
      toast.failed('The export failed', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      icon={<Download className="size-4" aria-hidden />}
      isBusy={isBusy}
      disabled={search.q !== undefined}
      onClick={() => void exportAll()}
    >
      <span className="max-sm:sr-only">Export CSV</span>
    </Button>
  );
}

async function readAll(client: Client, search: CallsSearch): Promise<{ rows: Call[]; total: number }> {
  const rows: Call[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = await client.records.list.query({ ...toListInput(search), page, pageSize });
    rows.push(...data);
    if (data.length < pageSize || rows.length >= rowsMax) return { rows, total: meta.total };
  }
}

function toRow(call: Call): Record<string, string | number | null> {
  return {
    id: call.id,
    externalId: call.externalId,
    tookPlace: call.callAt.toISOString(),
    received: call.createdAt.toISOString(),
    agent: call.agentName,
    customer: call.customerPhone,
    status: call.status,
    score: call.qualityScore,
    judgedShare: call.judgedShare,
    checksToReview: call.needsReviewCount,
    compliance: call.complianceStatus,
    seconds: call.duration,
    completed: call.completedAt?.toISOString() ?? null,
    project: call.projectId,
  };
}
