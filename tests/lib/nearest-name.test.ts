import { describe, expect, it } from 'vitest';
import { isNearly, nearestName, unknownName } from '../../src/lib/nearest-name.ts';
import { processorMsOf } from '../support/processor-time.ts';

const known = ['name', 'description', 'redactPii', 'complianceStatus', 'segmentId', 'status'];

describe('nearestName', () => {
  it.each([
    ['nmae', 'name'],
    ['Name', 'name'],
    ['complianceStaus', 'complianceStatus'],
    ['compliance_status', 'complianceStatus'],
    ['redactPII', 'redactPii'],
    ['segmentID', 'segmentId'],
    ['descripton', 'description'],
    ['statsu', 'status'],
  ])('finds what %s was meant to be', (given, meant) => {
    expect(nearestName(given, known)).toBe(meant);
  });

  it.each(['', 'x', 'id', 'colour', 'nothing', '__proto__', 'description of it all', 'n'.repeat(1_000_000)])(
    'finds nothing like %.20s',
    (given) => {
      expect(nearestName(given, known)).toBeUndefined();
    },
  );

  it('takes the nearest of several', () => {
    expect(nearestName('agentNam', ['agentId', 'agentName', 'agent'])).toBe('agentName');
  });

  it('costs next to nothing, however much is given', () => {
    const long = 'n'.repeat(100_000);
    const costMs = processorMsOf(() => {
      for (let index = 0; index < 100; index += 1) nearestName(long, known);
    });
    expect(costMs).toBeLessThan(5_000);
  });
});

describe('isNearly', () => {
  it.each([
    ['agent_name', true],
    ['AGENT-NAME', true],
    ['agentNane', true],
    ['agentName1', true],
    ['agnetName', true],
    ['agentNam', true],
    ['agent', false],
    ['agentsNames', false],
    ['name', false],
  ])('of %s and agentName is %s', (given, isMeant) => {
    expect(isNearly(given, 'agentName')).toBe(isMeant);
  });
});

it('a name is shown no longer than anybody reads', () => {
  expect(unknownName('field', 'n'.repeat(5_000), known).length).toBeLessThan(150);
});
