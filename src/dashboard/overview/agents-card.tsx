import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber, formatShare } from '../lib/format.ts';
import { ScoreBadge } from '../ui/badge.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import { Change, difference } from './change.tsx';
import { Nothing, Part, type OverviewQuery } from './part.tsx';
import type { Overview } from './search.ts';

type Agent = Overview['agents'][number];
type Column = 'name' | 'calls' | 'averageScore' | 'change' | 'averageJudgedShare' | 'complianceFailed';
type Order = { column: Column; direction: 'asc' | 'desc' };

export function AgentsCard({ overview }: { overview: OverviewQuery }) {
  return (
    <Part overview={overview} title="Agents" description="Those with most calls" lines={6} isFlush>
      {({ agents }) =>
        agents.length === 0 ? (
          <Nothing>No call of this period names its agent.</Nothing>
        ) : (
          <AgentsTable agents={agents} />
        )
      }
    </Part>
  );
}

function AgentsTable({ agents }: { agents: Agent[] }) {
  const [order, setOrder] = useState<Order>({ column: 'calls', direction: 'desc' });
  const sortable = (column: Column) => ({
    sorted: order.column === column ? order.direction : null,
    onSort: () => {
      const first = column === 'name' ? 'asc' : 'desc';
      const other = first === 'asc' ? 'desc' : 'asc';
      setOrder({ column, direction: order.column === column && order.direction === first ? other : first });
    },
  });
  return (
    <Table label="Scores by agent">
      <thead>
        <tr>
          <Th {...sortable('name')}>Agent</Th>
          <Th {...sortable('calls')}>Calls</Th>
          <Th {...sortable('averageScore')}>Score</Th>
          <Th {...sortable('change')} className="hidden sm:table-cell">
            Change
          </Th>
          <Th {...sortable('averageJudgedShare')} className="hidden lg:table-cell">
            Judged
          </Th>
          <Th {...sortable('complianceFailed')} className="hidden sm:table-cell">
            Failed compliance
          </Th>
        </tr>
      </thead>
      <tbody>
        {sorted(agents, order).map((agent) => (
          <tr key={`${agent.name} ${agent.agentId ?? ''}`} className="hover:bg-raised/60">
            <Td className="max-w-40 truncate font-medium">
              <Link to="/calls" search={{ agent: agent.name }} className="hover:text-accent hover:underline">
                {agent.name}
              </Link>
            </Td>
            <Td className="tabular-nums">{formatNumber(agent.calls)}</Td>
            <Td>
              <ScoreBadge score={agent.averageScore === null ? null : Math.round(agent.averageScore)} />
            </Td>
            <Td className="hidden sm:table-cell">
              <Change by={difference(agent.averageScore, agent.previousAverageScore)} />
            </Td>
            <Td className="hidden tabular-nums lg:table-cell">
              {agent.averageJudgedShare === null ? '–' : formatShare(agent.averageJudgedShare)}
            </Td>
            <Td className="hidden tabular-nums sm:table-cell">{formatNumber(agent.complianceFailed)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Those without a value come last, in either direction. */
function sorted(agents: Agent[], { column, direction }: Order): Agent[] {
  const sign = direction === 'asc' ? 1 : -1;
  return agents.toSorted((a, b) => {
    if (column === 'name') return sign * a.name.localeCompare(b.name);
    const [left, right] = [figureOf(a, column), figureOf(b, column)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}

function figureOf(agent: Agent, column: Exclude<Column, 'name'>): number | null {
  return column === 'change' ? difference(agent.averageScore, agent.previousAverageScore) : agent[column];
}
