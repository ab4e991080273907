import type { MetricName } from '../../../model/rubric-parts.ts';
import type { CheckAnswer } from '../../../model/scorecard.ts';
import type { Messages } from '../table.ts';
import type { BySlight, DetailKind, PressureKind, SecretKind, WeighedKey } from '../terms.ts';
import { countIn, decimal, listWith, percentIn, whole, withoutStop } from '../format.ts';

const COUNTS = ['kein', 'ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn'];
const count = (n: number): string => countIn(COUNTS, n);
const list = (items: readonly string[]): string => listWith('und', items);
const quote = (text: string): string => `„${text}“`;
const often = (n: number): string => (n > 10 ? `${String(n)}-mal` : `${count(n)}mal`);

const details: Record<DetailKind, string> = {
  amount: 'den Betrag',
  date: 'das Datum',
  time: 'die Uhrzeit',
  address: 'die Adresse',
  number: 'die Nummer',
  email: 'die E-Mail-Adresse',
  name: 'den Namen',
};

const pressure: Record<PressureKind, string> = {
  threat: 'droht dem Kunden',
  consequence: 'droht dem Kunden',
  guarantee: 'garantiert ein Ergebnis',
  secrecy: 'bittet, das Gespräch geheim zu halten',
  urgency: 'drängt auf eine sofortige Zusage',
};
const pressures = (kinds: readonly PressureKind[]): string => list([...new Set(kinds.map((kind) => pressure[kind]))]);

const secret: Record<SecretKind, string> = {
  card: 'eine vollständige Kartennummer',
  code: 'einen Sicherheitscode',
  nationalId: 'eine Ausweis- oder Versicherungsnummer',
  password: 'ein Passwort',
};
const secrets = (kinds: readonly SecretKind[]): string => list(kinds.map((kind) => secret[kind]));

const rude: BySlight = {
  insult: 'Der Agent wird dem Kunden gegenüber ausfallend.',
  profanity: 'Der Agent flucht.',
  sarcasm: 'Der Agent begegnet dem Kunden mit Sarkasmus.',
  blame: 'Der Agent gibt dem Kunden die Schuld.',
  contempt: 'Der Agent behandelt den Kunden von oben herab.',
  threat: 'Der Agent droht dem Kunden.',
};

const maybeRude: BySlight = {
  insult: 'Das könnte als Beleidigung gemeint sein',
  profanity: 'Hier flucht der Agent möglicherweise',
  sarcasm: 'Das könnte sarkastisch gemeint sein',
  blame: 'Das könnte dem Kunden die Schuld zuschieben',
  contempt: 'Das könnte herablassend gemeint sein',
  threat: 'Das könnte als Drohung gemeint sein',
};

const metrics: Record<MetricName, (value: number) => string> = {
  agentInterruptions: (n) =>
    n === 0 ? 'der Agent unterbricht den Kunden nie' : `der Agent unterbricht den Kunden ${often(n)}`,
  customerInterruptions: (n) =>
    n === 0 ? 'der Kunde unterbricht den Agenten nie' : `der Kunde unterbricht den Agenten ${often(n)}`,
  agentOverlapPercent: (n) =>
    n < 0.05
      ? 'der Agent fällt dem Kunden nicht ins Wort'
      : `der Agent spricht ${percentIn(n, ',')} der Zeit gleichzeitig mit dem Kunden`,
  agentWordsPerMinute: (n) => `der Agent spricht ${whole(n)} Wörter pro Minute`,
  customerWordsPerMinute: (n) => `der Kunde spricht ${whole(n)} Wörter pro Minute`,
  agentTalkPercent: (n) => `der Agent hat ${whole(n)} % der Redezeit`,
  longestMonologueSeconds: (n) => `der längste Monolog dauert ${whole(n)} Sekunden`,
  nonTalkSeconds: (n) => `insgesamt spricht ${whole(n)} Sekunden lang niemand`,
  longestSilenceSeconds: (n) => `die längste Stille dauert ${whole(n)} Sekunden`,
  durationSeconds: (n) => `das Gespräch dauert ${whole(n)} Sekunden`,
  customerSentiment: (n) => `die Stimmung des Kunden liegt bei ${decimal(n)} auf einer Skala von -1 bis 1`,
  agentSentiment: (n) => `die Stimmung des Agenten liegt bei ${decimal(n)} auf einer Skala von -1 bis 1`,
};

/** What is asked, as a subordinate clause. */
const asked: Record<WeighedKey, string> = {
  'greeting.opens': 'der Agent den Kunden begrüßt',
  'greeting.company': 'der Agent die Firma oder Abteilung nennt',
  'greeting.name': 'der Agent seinen Namen nennt',
  'greeting.offer': 'der Agent seine Hilfe anbietet',
  'problem.understood': 'der Agent das Anliegen klärt',
  'problem.details': 'der Agent die Angaben bestätigt',
  'problem.resolved': 'das Anliegen erledigt ist',
  'problem.accepted': 'der Kunde einverstanden ist',
  'professionalism.courtesy': 'der Agent durchgehend höflich ist',
  'professionalism.respect': 'der Agent respektvoll mit dem Kunden umgeht',
  'closing.more': 'der Agent nach weiteren Anliegen fragt',
  'closing.thanks': 'der Agent sich bedankt',
  'closing.farewell': 'der Agent sich verabschiedet',
};

const labels: Record<CheckAnswer, string> = {
  pass: 'erfüllt',
  partial: 'zum Teil erfüllt',
  fail: 'nicht erfüllt',
  not_applicable: 'trifft nicht zu',
  needs_review: 'anzuhören',
};

export const answers: Messages['answers'] = {
  count,
  list,
  quote,
  metrics,
  labels,
  hidden: '[ausgeblendet]',
  parts: {
    whole: 'im Gespräch',
    firstTurns: (n) => (n === 1 ? 'im ersten Redebeitrag' : `in den ersten ${count(n)} Redebeiträgen`),
    lastTurns: (n) => (n === 1 ? 'im letzten Redebeitrag' : `in den letzten ${count(n)} Redebeiträgen`),
    firstSeconds: (n) => `in den ersten ${String(n)} Sekunden`,
    lastSeconds: (n) => `in den letzten ${String(n)} Sekunden`,
    firstHalf: 'in der ersten Hälfte des Gesprächs',
    secondHalf: 'in der zweiten Hälfte des Gesprächs',
    middle: 'zwischen Begrüßung und Abschluss',
  },
  exempt: {
    midCallStart: 'Die Aufnahme beginnt mitten im Gespräch.',
    needStatedFirst: 'Der Kunde nennt sein Anliegen, bevor der Agent danach fragen kann.',
    customerEndsFirst: 'Der Kunde beendet das Gespräch, bevor der Agent fragen kann.',
    noChanceToClose: 'Der Kunde beendet das Gespräch, und der Agent kommt nicht mehr zu Wort.',
    noCustomerSpeech: 'Der Kunde sagt nichts.',
    unknownSpeakers: 'Die Aufnahme unterscheidet nicht zwischen Agent und Kunde.',
    tooLittleTalk: (seconds) => `Der Agent spricht weniger als ${String(seconds)} Sekunden: zu wenig für ein Urteil.`,
    nothingToMeasure: 'Das Gespräch gibt hier nichts zu messen.',
    nothingSaid: 'In der Aufnahme wird nichts gesagt.',
    whoIsAgent: 'Es war nicht zu erkennen, wer in der Aufnahme der Agent ist.',
    noAgent: 'In der Aufnahme spricht kein Agent.',
  },
  depends: {
    metric: 'Das Gespräch liegt außerhalb der Grenzen, in denen dies gilt.',
    judgedFirst: (title) => `Das hängt von „${title}“ ab; zuerst ist darüber zu entscheiden.`,
    answeredOtherwise: (title) => `Das hängt von „${title}“ ab; die Antwort darauf ist eine andere.`,
    ruledOut: (where) => `Es wird ${where} etwas gesagt, was diese Prüfung ausschließt.`,
    notSaid: (where) => `Es wird ${where} nicht gesagt, wovon diese Prüfung abhängt.`,
  },
  doubts: {
    onlyPerson: 'Das kann nur ein Mensch oder ein Sprachmodell beurteilen.',
    voices: 'Wer einen Teil des Gesprächs spricht, ist nicht klar, und davon hängt die Antwort ab.',
    inferredAgent: 'Dass der Agent es sagt, ist nur aus den Worten geschlossen.',
    noWords: (languages) => `Die Sprache des Gesprächs ist ${list(languages)}; dafür hat das Profil keine Wörter.`,
    unread: (why) => `${why}; das kann nur ein Mensch oder ein Sprachmodell beurteilen.`,
    unclearLanguage: 'Es ist nicht klar, welche Sprache gesprochen wird',
    isIn: (language) => `Die Sprache des Gesprächs ist ${language}`,
    partIsIn: (language) => `Die Sprache eines Teils des Gesprächs ist ${language}`,
    partyPartIsIn: (party, language) => `Der ${party === 'agent' ? 'Agent' : 'Kunde'} spricht zum Teil ${language}`,
    partySpeaks: (party, language) => `Der ${party === 'agent' ? 'Agent' : 'Kunde'} spricht ${language}`,
    contradicted: (named, heard) =>
      `Als Sprache des Gesprächs ist ${named} angegeben, die Wörter sehen aber nach ${list(heard)} aus`,
    several: (languages) => `In diesem Gespräch wird ${list(languages)} gesprochen`,
  },
  said: {
    fewer: (met, said, times) => `${met}, aber nur ${String(said)} von ${String(times)} Mal.`,
    elsewhere: (met, where) => `${met}, aber nicht ${where}.`,
  },
  company: {
    pass: 'Der Agent nennt zu Beginn die Firma oder Abteilung.',
    fail: 'In den ersten zwei Redebeiträgen des Agenten fällt weder der Name der Firma noch der einer Abteilung.',
  },
  name: {
    pass: 'Der Agent nennt seinen Namen.',
    fail: 'Der Agent nennt in seinen ersten drei Redebeiträgen nicht seinen Namen.',
  },
  understood: {
    noNeed: 'Der Kunde möchte nichts, also war auch nichts zu klären.',
    asked: 'Der Agent fragt zum Anliegen nach, bevor er handelt.',
    restated: 'Der Agent wiederholt das Anliegen, bevor er handelt.',
    atOnce: 'Das Anliegen war klar, und der Agent hat es sofort erledigt.',
    identified: 'Das Anliegen war klar; der Agent musste nur feststellen, mit wem er spricht.',
    fail: 'Zwischen Anliegen und Antwort fragt der Agent weder nach, noch wiederholt er das Anliegen.',
  },
  details: {
    none: 'Im Gespräch kommt kein Betrag, kein Datum, keine Uhrzeit, keine Adresse und keine Nummer vor, die zu bestätigen wäre.',
    agreed: 'Der Agent nennt die Angaben, und der Kunde stimmt zu.',
    named: (kinds) => list(kinds.map((kind) => details[kind])),
    pass: (kinds) => `Der Agent wiederholt ${list(kinds.map((kind) => details[kind]))}.`,
    partial: (missing) => `Der Agent bestätigt einen Teil der Angaben, nicht aber ${missing}.`,
    fail: (missing) => `Der Kunde nennt ${missing}, und der Agent wiederholt davon nichts.`,
  },
  resolved: {
    nothingAsked: 'Der Kunde möchte nichts, was zu erledigen wäre.',
    done: 'Der Agent sagt, dass es erledigt ist.',
    answered: 'Der Agent gibt die gewünschte Auskunft.',
    next: 'Ein Ergebnis gibt es noch nicht, aber der Agent nennt den nächsten Schritt und wer ihn tut.',
    fail: 'Der Agent sagt nicht, dass das Anliegen erledigt ist, und nennt keinen nächsten Schritt.',
  },
  accepted: {
    noChance: 'Der Kunde sagt nach der Antwort nichts, woran es zu erkennen wäre.',
    objects: 'Am Ende widerspricht der Kunde.',
    reserved: 'Der Kunde ist einverstanden, aber mit Vorbehalt.',
    accepts: 'Der Kunde ist am Ende einverstanden und widerspricht danach nicht.',
    nods: 'Der Kunde stimmt am Ende zu und widerspricht nicht.',
    never: 'Der Kunde sagt nie, dass die Antwort seinem Wunsch entspricht.',
  },
  respect: {
    rude,
    possible: (kind) => `${maybeRude[kind]}, sonst deutet im Gespräch aber nichts darauf hin: bitte anhören.`,
    unclear: 'Möglicherweise fällt ein grobes Wort, es war aber nicht deutlich zu hören: bitte anhören.',
    byWhom: 'Es fällt ein grobes Wort, die Aufnahme zeigt aber nicht, von wem: bitte anhören.',
    pass: 'Der Agent bleibt höflich: keine Beleidigung, kein Fluchen, kein Sarkasmus, keine Schuldzuweisung, keine Drohung.',
  },
  hold: {
    none: 'Es gibt keine Stille von mehr als 15 Sekunden.',
    place: (seconds, at) => `${String(seconds)} Sekunden bei ${at}`,
    pass: 'Lange Pausen werden angekündigt oder erklärt.',
    partial: (where) => `Lange Pausen werden zum Teil angekündigt, aber nicht alle: ${where}.`,
    fail: (where) => `Eine lange Stille wird weder angekündigt noch erklärt: ${where}.`,
  },
  sensitive: {
    named: secrets,
    pass: 'Der Agent spricht weder eine vollständige Kartennummer noch Sicherheitscode, Ausweisnummer oder Passwort laut aus.',
    fail: (kinds) => `Der Agent spricht ${secrets(kinds)} laut aus.`,
    maybe: (kinds) => `Der Agent spricht möglicherweise ${secrets(kinds)} laut aus: bitte anhören.`,
    byWhom: (kinds) => `Jemand spricht ${secrets(kinds)} laut aus, die Aufnahme zeigt aber nicht, wer: bitte anhören.`,
  },
  pressure: {
    named: pressures,
    pass: 'Der Agent droht nicht, verspricht kein Ergebnis und verlangt keine Geheimhaltung.',
    fail: (kinds) => `Der Agent ${pressures(kinds)}.`,
    maybe: (kinds) =>
      `Es kann sein: Der Agent ${pressures(kinds)}. Eine einzelne Formulierung belegt das nicht: bitte anhören.`,
  },
  byModel: {
    cannotTell: (title) => `„${title}“: Das Sprachmodell konnte es nicht beurteilen; bitte anhören.`,
    unshown: (title, answer, by) =>
      `„${title}“: Das Sprachmodell antwortet „${answer}“, aber keine Worte ${by === null ? '' : by === 'agent' ? 'des Agenten ' : 'des Kunden '}im Gespräch belegen es; bitte anhören.`,
    denied: (answer) => `Das Sprachmodell antwortet „${answer}“, und diese Worte sprechen dagegen: bitte anhören.`,
    aboutNothing: (answer) =>
      `Das Sprachmodell antwortet „${answer}“, und die Regeln finden nichts, worum es gehen könnte: bitte anhören.`,
    disagrees: (answer, other) =>
      `Das Sprachmodell antwortet „${answer}“, die Regeln antworten „${other}“: bitte anhören.`,
    plain: {
      pass: (title) => `„${title}“: nach Ansicht des Sprachmodells erfüllt.`,
      partial: (title) => `„${title}“: nach Ansicht des Sprachmodells zum Teil erfüllt.`,
      fail: (title) => `„${title}“: nach Ansicht des Sprachmodells nicht erfüllt.`,
      not_applicable: (title) => `„${title}“: trifft nach Ansicht des Sprachmodells auf dieses Gespräch nicht zu.`,
    },
  },
  suspicion: {
    possibly: {
      'professionalism.respect': (at: string): string =>
        `Was der Agent bei ${at} sagt, kann als Spott, Vorwurf oder Drohung gemeint sein, mit anderen Worten als üblich: Bitte anhören.`,
      'compliance.pressure': (at: string): string =>
        `Was der Agent bei ${at} sagt, kann eine Drohung, ein nicht haltbares Versprechen oder eine Bitte um Geheimhaltung sein, mit anderen Worten als üblich: Bitte anhören.`,
      'compliance.sensitive': (at: string): string =>
        `Was der Agent bei ${at} sagt, kann eine Kartennummer, einen Code, ein Passwort oder eine Ausweisnummer verraten: Bitte anhören.`,
    },
    open: 'Es kann auch harmlos sein: Bitte anhören.',
  },
  weighed: {
    pass: (key, at) => `Mit anderen Worten als üblich ist bei ${at} zu hören, dass ${asked[key]}.`,
    partial: (key, at) => `Nur zum Teil lässt sich sagen, dass ${asked[key]}; siehe ${at}.`,
    fail: (key) => `Nichts im Gespräch klingt danach, dass ${asked[key]}.`,
    not_applicable: (key) => `Das Gespräch lässt keinen Raum für die Frage, ob ${asked[key]}.`,
    needs_review: (key, at) => `Unsicher, ob ${asked[key]}: bitte bei ${at} anhören.`,
  },
  both: (first, second) => `${withoutStop(first)}. ${second}`,
};
