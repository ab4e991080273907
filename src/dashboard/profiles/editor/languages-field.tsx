import { X } from 'lucide-react';
import type { Condition } from '../../../model/checks.ts';
import { languageName, languageOptions } from '../../lib/languages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import type { Draft } from './draft.ts';
import { DraftField } from './draft-field.tsx';
import { useEditor } from './editor-context.tsx';

const languagesMax = 12;

/** The languages that the rubric can judge. The first one is the language of the phrases. */
export function LanguagesField() {
  const { draft, change, isReadOnly } = useEditor();
  const { languages } = draft;
  const free = languageOptions().filter(({ tag }) => /^[a-z]{2,3}$/u.test(tag) && !languages.includes(tag));
  return (
    <DraftField
      label="Languages"
      path="languages"
      hint={
        languages.length === 0
          ? 'Any language. Name one to say which calls it can judge.'
          : 'In calls in other languages, checks on words are left for a person to review.'
      }
    >
      {(props) => (
        <div className="flex flex-wrap items-center gap-2">
          {languages.map((language, index) => (
            <span
              key={language}
              className="inline-flex h-7 items-center gap-1 rounded-lg bg-raised pr-1 pl-2.5 text-xs font-medium"
            >
              {languageName(language)}
              {index === 0 && languages.length > 1 && <span className="pr-1.5 font-normal text-ink-faint">first</span>}
              {!isReadOnly && (index > 0 || languages.length === 1) && (
                <IconButton
                  size="sm"
                  className="!size-5"
                  label={`Remove ${languageName(language)} and its phrases`}
                  icon={<X className="size-3" aria-hidden />}
                  onClick={() => change((now) => withoutLanguage(now, language))}
                />
              )}
            </span>
          ))}
          {languages.length < languagesMax && !isReadOnly && (
            <Select
              {...props}
              value=""
              className="!h-7 !w-40 !text-xs"
              onChange={({ target }) => change((now) => ({ ...now, languages: [...now.languages, target.value] }))}
            >
              <option value="">Add a language…</option>
              {free.map(({ tag, name }) => (
                <option key={tag} value={tag}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </div>
      )}
    </DraftField>
  );
}

/** Words of a language that the profile no longer has would be refused. */
function withoutLanguage(draft: Draft, language: string): Draft {
  return {
    ...draft,
    languages: draft.languages.filter((other) => other !== language),
    categories: draft.categories.map((category) => ({
      ...category,
      checks: category.checks.map((check) => strip(check, language)),
    })),
    compliance: draft.compliance.map((rule) => strip(rule, language)),
  };
}

type Speaking = { kind: string; translations?: Record<string, unknown> | undefined };

function strip<T extends { kind: string; appliesWhen?: Condition | undefined }>(rule: T, language: string): T {
  const { appliesWhen } = rule;
  const own = stripWords(rule, language);
  return appliesWhen ? { ...own, appliesWhen: stripWords(appliesWhen, language) } : own;
}

function stripWords<T extends { kind: string }>(rule: T & Speaking, language: string): T {
  if (!rule.translations) return rule;
  const { [language]: _gone, ...rest } = rule.translations;
  return { ...rule, translations: Object.keys(rest).length === 0 ? undefined : rest };
}
