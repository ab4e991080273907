import { useState } from 'react';
import type { Condition } from '../../../model/checks.ts';
import type { Part, Wording } from '../../../model/rubric-parts.ts';
import { languageName } from '../../lib/languages.ts';
import { CheckOption } from '../../ui/check-option.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { parts, roles } from '../words.ts';
import { DraftField, LinesInput } from './draft-field.tsx';
import { useEditor } from './editor-context.tsx';
import { NumberField, OptionsField } from './typed-fields.tsx';

export type Spoken = Omit<Extract<Condition, { kind: 'phrase' }>, 'kind' | 'expect'> & {
  expect: 'present' | 'absent';
  elsewherePhrases?: string[] | undefined;
};
type Props = { value: Spoken; path: string; onChange: (part: Partial<Spoken>) => void };

const expectations = { present: 'has to say', absent: 'must not say' } as const;

/** "The agent has to say, in their first 3 turns, one of these phrases". */
export function PhraseFields({ value, path, onChange }: Props) {
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <OptionsField
          label="Who"
          path={`${path}.role`}
          value={value.role}
          options={roles}
          onChange={(role) => onChange({ role })}
        />
        <OptionsField
          label="Expectation"
          path={`${path}.expect`}
          value={value.expect}
          options={expectations}
          onChange={(expect) => onChange({ expect })}
        />
        <PartFields value={value.where} path={`${path}.where`} onChange={(where) => onChange({ where })} />
      </div>
      <Wordings value={value} path={path} onChange={onChange} />
      <CheckOption
        label="Ignore negated phrases"
        hint="A phrase does not count after “not”, “never” and the like, within four words."
        checked={value.ignoreNegated ?? false}
        onChange={({ target }) => onChange({ ignoreNegated: target.checked || undefined })}
      />
    </>
  );
}

function PartFields({ value, path, onChange }: { value: Part; path: string; onChange: (part: Part) => void }) {
  const count = 'turns' in value ? value.turns : 'seconds' in value ? value.seconds : undefined;
  const setCount = (next = Number.NaN): void => {
    if ('turns' in value) onChange({ ...value, turns: next });
    if ('seconds' in value) onChange({ ...value, seconds: next });
  };
  return (
    <div className="flex items-start gap-2 sm:col-span-2">
      <OptionsField
        label="Where"
        path={`${path}.part`}
        className="min-w-0 flex-1"
        value={value.part}
        options={parts}
        onChange={(part) => onChange(emptyPart(part))}
      />
      {count !== undefined && (
        <NumberField
          key={value.part}
          label={'turns' in value ? 'Turns' : 'Seconds'}
          path={`${path}.${'turns' in value ? 'turns' : 'seconds'}`}
          className="w-24"
          min={1}
          step={1}
          value={count}
          onChange={setCount}
        />
      )}
    </div>
  );
}

function emptyPart(part: Part['part']): Part {
  switch (part) {
    case 'firstTurns':
    case 'lastTurns':
      return { part, turns: 3 };
    case 'firstSeconds':
    case 'lastSeconds':
      return { part, seconds: 30 };
    default:
      return { part };
  }
}

/** The phrases in each language of the profile. */
function Wordings({ value, path, onChange }: Props) {
  const { draft } = useEditor();
  const [first = '', ...others] = draft.languages;
  const [language, setLanguage] = useState(first);
  const own = (
    <WordingFields value={value} path={path} hasElsewhere={value.elsewherePhrases !== undefined} onChange={onChange} />
  );
  if (others.length === 0) return own;
  const translated = (other: string) => (
    <WordingFields
      value={value.translations?.[other] ?? { phrases: [] }}
      path={`${path}.translations.${other}`}
      hasElsewhere={value.translations?.[other]?.elsewherePhrases !== undefined}
      onChange={(part) => onChange({ translations: withWording(value.translations, other, part) })}
    />
  );
  return (
    <Tabs
      label="Language"
      value={language}
      onChange={setLanguage}
      tabs={[first, ...others].map((each) => ({
        value: each,
        label: languageName(each),
        content: <div className="grid grid-cols-1 gap-3">{each === first ? own : translated(each)}</div>,
      }))}
    />
  );
}

/** An empty language is dropped: its calls are then left for a person to review. */
function withWording(
  translations: Spoken['translations'],
  language: string,
  part: Partial<Wording>,
): Spoken['translations'] {
  const { [language]: before, ...rest } = translations ?? {};
  const wording = { phrases: [], ...before, ...part };
  const isEmpty = wording.phrases.length === 0 && !wording.ignore && !wording.elsewherePhrases;
  const next = isEmpty ? rest : { ...rest, [language]: wording };
  return Object.keys(next).length === 0 ? undefined : next;
}

type WordingProps = {
  value: Wording;
  path: string;
  hasElsewhere: boolean;
  onChange: (part: Partial<Wording>) => void;
};

function WordingFields({ value, path, hasElsewhere, onChange }: WordingProps) {
  const orNone = (lines: string[]): string[] | undefined => (lines.length === 0 ? undefined : lines);
  return (
    <>
      <DraftField
        label="Phrases"
        path={`${path}.phrases`}
        isLines
        hint="One per line. a/b are alternatives for one word, * stands for up to three words. Case and accents do not matter."
      >
        {(props) => (
          <LinesInput
            {...props}
            value={value.phrases}
            placeholder={'thank you for calling\nhow can/may i help'}
            onChange={(phrases) => onChange({ phrases })}
          />
        )}
      </DraftField>
      <DraftField
        label="But not"
        path={`${path}.ignore`}
        isLines
        isOptional
        hint="Phrases that look like a match but are not, such as “nothing else”."
      >
        {(props) => (
          <LinesInput {...props} value={value.ignore ?? []} onChange={(lines) => onChange({ ignore: orNone(lines) })} />
        )}
      </DraftField>
      {hasElsewhere && (
        <DraftField label="Elsewhere these count too" path={`${path}.elsewherePhrases`} isLines isOptional>
          {(props) => (
            <LinesInput
              {...props}
              value={value.elsewherePhrases ?? []}
              onChange={(lines) => onChange({ elsewherePhrases: lines })}
            />
          )}
        </DraftField>
      )}
    </>
  );
}
