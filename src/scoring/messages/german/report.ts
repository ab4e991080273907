import type { Messages } from '../table.ts';
import type { BySlight, ClosingPart, OpeningPart, PressureKind, StandardKey, StandardTitle } from '../terms.ts';
import { capitalize, percentIn, withoutStop } from '../format.ts';
import { answers } from './answers.ts';

const { list } = answers;

const openings: Record<OpeningPart, string> = {
  opens: 'die Begrüßung',
  company: 'der Name der Firma oder Abteilung',
  name: 'der eigene Name',
  offer: 'die Frage, wie man helfen kann',
};

const closings: Record<ClosingPart, string> = {
  more: 'die Frage nach weiteren Anliegen',
  thanks: 'der Dank',
  farewell: 'die Verabschiedung',
};

const closingWords: Record<ClosingPart, string> = {
  more: 'Kann ich sonst noch etwas für Sie tun?',
  thanks: 'Vielen Dank für Ihren Anruf.',
  farewell: 'Einen schönen Tag noch, auf Wiederhören.',
};

const nouns: Record<StandardKey, string> = {
  'greeting.opens': 'Begrüßung',
  'greeting.company': 'Nennung der Firma',
  'greeting.name': 'Nennung des eigenen Namens',
  'greeting.offer': 'Frage nach dem Anliegen',
  'problem.understood': 'Klärung des Anliegens',
  'problem.details': 'Bestätigung der Angaben',
  'problem.resolved': 'Ergebnis',
  'problem.accepted': 'Einverständnis des Kunden',
  'professionalism.courtesy': 'Höflichkeit im Gespräch',
  'professionalism.respect': 'respektvoller Umgang',
  'professionalism.listening': 'Ausredenlassen',
  'professionalism.hold': 'Erklärung von Pausen',
  'professionalism.clarity': 'Sprechtempo',
  'closing.more': 'Frage nach weiteren Anliegen',
  'closing.thanks': 'Dank am Ende',
  'closing.farewell': 'Verabschiedung',
};

const titles: Record<StandardTitle, string> = {
  'Greets the customer': 'Begrüßt den Kunden',
  'Names the company or department': 'Nennt Firma oder Abteilung',
  'Gives their own name': 'Nennt den eigenen Namen',
  'Asks how they can help': 'Bietet Hilfe an',
  'Makes sure of the need': 'Klärt das Anliegen',
  'Confirms the details': 'Bestätigt die Angaben',
  'Resolves the request': 'Erledigt das Anliegen',
  'The customer accepts': 'Der Kunde ist einverstanden',
  'Is courteous throughout': 'Ist durchgehend höflich',
  'Treats the customer with respect': 'Behandelt den Kunden mit Respekt',
  'Lets the customer speak': 'Lässt den Kunden ausreden',
  'Announces silences': 'Kündigt Pausen an',
  'Speaks at a clear pace': 'Spricht in verständlichem Tempo',
  'Asks what else is needed': 'Fragt nach weiteren Anliegen',
  'Thanks the customer': 'Bedankt sich beim Kunden',
  'Says goodbye': 'Verabschiedet sich',
  'No sensitive data read aloud': 'Keine vertraulichen Daten laut ausgesprochen',
  'No threats, guarantees or secrecy': 'Keine Drohungen, Garantien oder Geheimhaltung',
  'The recording is announced': 'Die Aufzeichnung wird angekündigt',
};

const respect: BySlight = {
  insult: 'Was der Kunde auch sagt: nie zurückschlagen. Kurz innehalten, dann sagen, was möglich ist.',
  profanity: 'Fluchen gehört nicht in ein Kundengespräch.',
  sarcasm: 'Sarkasmus kommt als Verachtung an: die Frage schlicht beantworten.',
  blame: 'Den Fehler nicht beim Kunden suchen. „Schauen wir, wie wir das in Ordnung bringen“ führt weiter.',
  contempt: 'Niemand wird von oben herab behandelt: noch einmal mit anderen Worten erklären.',
  threat: 'Nicht drohen. Die Möglichkeiten nennen und den Kunden wählen lassen.',
};

const instead: Record<PressureKind, string> = {
  threat: 'nicht drohen, sondern Möglichkeiten und Fristen nennen',
  consequence: 'nicht drohen, sondern Möglichkeiten und Fristen nennen',
  guarantee: 'kein Ergebnis versprechen, über das andere entscheiden; sagen, was man bis wann selbst tut',
  secrecy: 'nie darum bitten, ein Gespräch für sich zu behalten; jedes Angebot muss vor anderen bestehen können',
  urgency: 'dem Kunden Zeit für die Entscheidung lassen',
};

const moments = (at: readonly string[]): string => (at.length === 0 ? '' : ` (${list(at)})`);
const further = (things: readonly string[], more: boolean): string =>
  more ? `${things.join(', ')} und weitere Punkte` : list(things);

export const summary: Messages['summary'] = {
  agent: 'Der Agent',
  nouns,
  titles,
  unretold: (doubt) => `${doubt}: Was gesagt wird, muss ein Mensch oder ein Sprachmodell beurteilen`,
  nothingSaid: 'In dieser Aufnahme wird nichts gesagt, es gibt also nichts zu bewerten.',
  announcement: (said) => `Zu hören ist nur eine Ansage: ${said}. Kein Agent spricht, es gibt also nichts zu bewerten.`,
  unknownVoices: (said) =>
    `Es war nicht zu erkennen, welche Stimme die des Agenten ist, es gibt also nichts zu bewerten. Die Aufnahme beginnt so: ${said}.`,
  noAgent: (said) =>
    `In dieser Aufnahme spricht kein Agent, es gibt also nichts zu bewerten. Von der Seite des Kunden ist zu hören: ${said}.`,
  need: {
    midCall: 'Die Aufnahme beginnt mitten im Gespräch, das Anliegen selbst ist nicht zu hören',
    none: 'Der Kunde äußert in diesem Gespräch kein Anliegen',
    unclear: (at) => `Das Anliegen des Kunden bei ${at} wurde nicht deutlich erkannt`,
    asked: (said) => `Der Kunde fragte: ${said}`,
    came: (said) => `Das Anliegen in den Worten des Kunden: ${said}`,
    called: (said) => `Der Agent rief den Kunden an: ${said}`,
  },
  approach: {
    asked: (who) => `${who} fragte zuerst zum Anliegen nach`,
    restated: (who) => `${who} vergewisserte sich zuerst, worum es geht`,
    askedAndConfirmed: (who) => `${who} fragte zuerst zum Anliegen nach und bestätigte die Angaben`,
    restatedAndConfirmed: (who) => `${who} vergewisserte sich zuerst, worum es geht, und bestätigte die Angaben`,
    confirmed: (who) => `${who} bestätigte die Angaben`,
  },
  outcome: {
    done: (who, at, said) => `${who} nannte bei ${at} das Ergebnis${said}`,
    answered: (who, at, said) => `${who} gab bei ${at} die Auskunft${said}`,
    next: (who, at, said) => `${who} beließ es bei einem nächsten Schritt (${at})${said}`,
    none: 'Im Gespräch wurde weder ein Ergebnis noch ein nächster Schritt gefunden',
    open: (at) => `Ob das Anliegen erledigt wurde, ist beim Anhören zu entscheiden${at === null ? '' : ` (${at})`}`,
    openAfter: (who, at, said) =>
      `${who} sagte bei ${at}: ${said}; ob das Anliegen damit erledigt war, ist beim Anhören zu entscheiden`,
  },
  reaction: {
    accepted: (said) => `Der Kunde war mit dem Ergebnis einverstanden${said}`,
    reserved: (said) => `Der Kunde war mit Vorbehalt einverstanden${said}`,
    objected: (said) => `Der Kunde blieb unzufrieden${said}`,
    silent: 'Der Kunde sagte nie, dass dies seinem Wunsch entspricht',
    unheard: 'Wie der Kunde es aufnahm, ist nicht zu hören',
  },
  verdict: {
    inapplicable: 'Keine Prüfung des Profils trifft auf dieses Gespräch zu',
    unscored: (open) =>
      `Es gibt noch keine Punktzahl: ${open === 1 ? 'Eine Prüfung bleibt' : `${String(open)} Prüfungen bleiben`} einem Menschen überlassen, da zu wenig beurteilt werden konnte`,
    alsoCritical: (why) => `Eine kritische Prüfung ist nicht bestanden: ${withoutStop(why)}`,
    allMet: 'Alle Prüfungen, die auf dieses Gespräch zutreffen, sind erfüllt',
    judgedMet: 'Alle Prüfungen, die beurteilt werden konnten, sind erfüllt',
    lost: (things, more) => `Punktabzug gab es hier: ${further(things, more)}`,
    capped: (why) => `Die Punktzahl ist wegen eines kritischen Fehlers begrenzt: ${withoutStop(why)}`,
    alsoLost: (things, more) => `Weiteren Punktabzug gab es hier: ${further(things, more)}`,
    left: (things, more) => `Beim Anhören zu entscheiden: ${further(things, more)}`,
    compliance: (parts) => `Compliance: ${parts.join('; ')}`,
    possibleBreach: (parts) => `Möglicher Compliance-Verstoß, von einem Menschen zu beurteilen: ${parts.join('; ')}`,
    openCompliance: (parts) => `Compliance, von einem Menschen zu entscheiden: ${parts.join('; ')}`,
    at: (what, at) => `${withoutStop(what)} (${at})`,
  },
};

export const tasks: Messages['tasks'] = {
  openRequest: (need) => `Den Kunden kontaktieren, sein Anliegen ist noch offen. ${withoutStop(need)}.`,
  notAccepted: 'Den Kunden kontaktieren: Er war mit dem Ergebnis nicht einverstanden.',
  breach: (title, at) =>
    `Die Aufnahme${at === null ? '' : ` bei ${at}`} mit dem Agenten besprechen: Gegen „${title}“ wurde verstoßen.`,
  decide: (title, at) => `Die Aufnahme${at === null ? '' : ` bei ${at}`} anhören und über „${title}“ entscheiden.`,
  promised: (at, said) => `Zugesagt bei ${at}: ${said}. Bitte sicherstellen, dass es geschieht.`,
  forCustomer: (at, said) => `Aufgabe des Kunden (${at}): ${said}. Bitte nachfragen, ob es geklappt hat.`,
  callBack: (said) => `Den Kunden zurückrufen: ${said}.`,
};

export const coaching: Messages['coaching'] = {
  opening: (missing, at, said, example) =>
    `In der Begrüßung bei ${at} (${said}) ${missing.length > 1 ? 'fehlen' : 'fehlt'}: ${list(missing.map((part) => openings[part]))}. Vorschlag: „${example}“`,
  offer: 'Wie kann ich Ihnen helfen?',
  greeting: (company, name) =>
    `Guten Tag, ${company ?? '(Firma)'}, mein Name ist ${name ?? '(Ihr Name)'}. Wie kann ich Ihnen helfen?`,
  ending: (missing, at, said) =>
    `Die letzten Worte des Agenten bei ${at} sind ${said}; es ${missing.length > 1 ? 'fehlen' : 'fehlt'}: ${list(missing.map((part) => closings[part]))}. Vorschlag: „${missing.map((part) => closingWords[part]).join(' ')}“`,
  understood: (at, said) =>
    `Der Kunde schildert bei ${at} sein Anliegen (${said}). Vor dem Handeln wiederholen oder nachfragen, zum Beispiel: „Habe ich Sie richtig verstanden: …?“`,
  understoodUnheard: 'Vor dem Handeln das Anliegen in einem Satz wiederholen und vom Kunden bestätigen lassen.',
  details: (names, at) =>
    `Vor dem Handeln ${names} wiederholen (genannt bei ${at}), sonst bleibt ein Hörfehler unbemerkt. „Ich wiederhole: … Stimmt das so?“ genügt.`,
  detailsUnheard:
    'Vor dem Handeln wiederholen, was der Kunde angibt (Beträge, Termine, Nummern, Adressen), sonst bleibt ein Hörfehler unbemerkt. „Ich wiederhole: … Stimmt das so?“ genügt.',
  someDetails: (names, at) =>
    `Ein Teil der Angaben wird bestätigt, nicht aber ${names} (genannt bei ${at}): alles wiederholen, damit ein Hörfehler auffällt, solange der Kunde noch am Apparat ist.`,
  onlyPromised: (said) => `Der Kunde geht mit einer Zusage${said === null ? '' : ` (${said})`} und ohne Ergebnis.`,
  sayByWhen: 'Dazu sagen, bis wann es geschieht und wie der Kunde davon erfährt.',
  sayHow: 'Dazu sagen, wie der Kunde davon erfährt und an wen er sich sonst wendet.',
  resolved: 'Dem Kunden sagen, was aus dem Anliegen wird: dass es erledigt ist oder wer bis wann was tut.',
  resolvedBy: (at) => `Bei ${at} geht das Gespräch ohne das zu Ende.`,
  reserved: (at, said) =>
    `Der Kunde hat bei ${at} noch Bedenken${said}. Vor dem Abschluss fragen, was sie ausräumen würde.`,
  objected: (at, said) =>
    `Der Kunde widerspricht bei ${at}${said}. Vor dem Ende darauf eingehen: die Sorge benennen, sagen, was möglich ist, und jemanden anbieten, der mehr entscheiden kann.`,
  accepted: 'Nachfragen, ob die Antwort passt, zum Beispiel: „Ist Ihnen damit geholfen?“',
  onlyAtEdges: 'Höfliche Worte fallen nur bei Begrüßung und Abschied.',
  noCourtesy: 'Vom Agenten ist kein höfliches Wort zu hören.',
  anyCourtesy: 'Ein „Danke“, wenn der Kunde antwortet, oder ein „Gern“, wenn er um etwas bittet, kostet nichts.',
  plainRequest: (at, said) => `Bei ${at} fragt der Agent: „${said}“ Mit „bitte“ wird daraus eine Bitte.`,
  softened: (at, said) => `Bei ${at} fragt der Agent: „${said}“ Mit „bitte“ wird daraus eine Bitte.`,
  respect: (said, at, kind, isBreach) =>
    `${said.length > 0 ? `Das darf nicht vorkommen: ${list(said)}.` : `Was bei ${at} gesagt wird, darf nicht vorkommen.`} ${respect[kind]} Bald mit dem Agenten besprechen${isBreach ? ', zusammen mit dem Compliance-Verstoß' : ''}.`,
  saidAt: (said, at) => `„${said}“ (${at})`,
  overlap: (percent) =>
    `Der Agent spricht ${percentIn(percent, ',')} des Gesprächs gleichzeitig mit dem Kunden. Vor der Antwort eine Sekunde Stille abwarten.`,
  interruptions: (count, at) =>
    `Der Agent fällt dem Kunden ${answers.count(count)}mal ins Wort (${list(at)}). Den Kunden ausreden lassen; „Ich höre zu“ ist schneller, als sich alles zweimal sagen zu lassen.`,
  hold: (where) =>
    `Es wird wortlos still in der Leitung: ${where}. Vorher „Einen Moment bitte, ich schaue nach“ sagen und danach „Danke fürs Warten“.`,
  someHolds: (where) =>
    `Eine Pause bleibt unerklärt: ${where}. Vorher „Einen Moment bitte, ich schaue nach“ sagen und danach „Danke fürs Warten“.`,
  fast: (pace) =>
    `Mit ${String(pace)} Wörtern pro Minute spricht der Agent so schnell, dass man schwer folgen kann. Eine kurze Pause nach jeder Information bringt das Tempo in Richtung 150.`,
  slow: (pace) =>
    `Mit ${String(pace)} Wörtern pro Minute spricht der Agent langsam, mit langen Pausen im Satz. Es hilft, die Maske vor dem Erklären offen zu haben.`,
  secrets: (kinds, at) =>
    `Nie ${kinds.length > 0 ? answers.sensitive.named(kinds) : 'vertrauliche Daten'} laut aussprechen${moments(at)}: den Kunden eintippen lassen oder nur die letzten Ziffern bestätigen.`,
  pressure: (kinds, at) =>
    `${capitalize([...new Set(kinds.map((kind) => instead[kind]))].join('; '))}. Der Agent ${answers.pressure.named(kinds)}${moments(at)}.`,
  sayEarly: (title, why) => `${title}: in jedem Gespräch früh sagen. ${withoutStop(why)}.`,
  broken: (title, why, at) => `${title}: ${withoutStop(why)}${moments(at)}.`,
  example: (phrase) => `Es zählen zum Beispiel die Worte: „${phrase}“.`,
};
