import { Check, Minus } from 'lucide-react';
import { Fragment } from 'react';
import { roles } from '../../model/role.ts';
import { Card } from '../ui/card.tsx';
import { Table, Td, Th } from '../ui/table.tsx';
import { abilities, hasAll, roleWords } from './roles.ts';

/** What each role may do, by the service's own table. */
export function RolesCard() {
  return (
    <Card title="What each role may do" description="The same goes for the API." isFlush>
      <Table label="What each role may do">
        <thead>
          <tr>
            <Th className="sticky left-0 bg-surface">
              <span className="sr-only">Ability</span>
            </Th>
            {roles.map((role) => (
              <Th key={role} className="text-center" title={roleWords[role].description}>
                {roleWords[role].label}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {abilities.map(({ title, rows }) => (
            <Fragment key={title}>
              <tr>
                <th
                  scope="colgroup"
                  colSpan={roles.length + 1}
                  className="bg-raised px-4 py-1.5 sm:px-5 text-left text-xs font-semibold text-ink-soft"
                >
                  {title}
                </th>
              </tr>
              {rows.map(({ label, permissions }) => (
                <tr key={label}>
                  <th
                    scope="row"
                    className="sticky left-0 max-w-40 min-w-36 border-b border-line bg-surface px-4 py-2 sm:pl-5 text-left text-sm font-normal sm:max-w-none"
                  >
                    {label}
                  </th>
                  {roles.map((role) => (
                    <Td key={role} className="text-center">
                      {hasAll(role, permissions) ? (
                        <Check role="img" aria-label="Yes" className="inline size-4 text-good" />
                      ) : (
                        <Minus role="img" aria-label="No" className="inline size-4 text-ink-faint" />
                      )}
                    </Td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
