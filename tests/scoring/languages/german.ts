import type { LanguageCalls } from './language-calls.ts';

/** Calls in German, as they are spoken in a call centre. */
export const german: LanguageCalls = {
  service: {
    good: `
      A: Guten Tag und willkommen bei den Stadtwerken Nordheim.
      A: Mein Name ist Anna Schmidt.
      A: Wie kann ich Ihnen helfen?
      C: Guten Tag, ich möchte meinen Termin auf Donnerstag verschieben.
      A: Geht es um den Termin für den Stromzähler?
      C: Ja, genau.
      A: Also am Donnerstag.
      C: Ja, richtig.
      A: Einen Moment bitte, ich schaue nach.
      ~18
      A: Vielen Dank fürs Warten.
      A: Ich habe den Termin geändert.
      A: Der Techniker klingelt zweimal und meldet sich vorher nicht mehr bei Ihnen an der Tür.
      C: Super, danke schön.
      A: Kann ich sonst noch etwas für Sie tun?
      C: Nein, danke.
      A: Vielen Dank für Ihren Anruf.
      A: Auf Wiederhören.`,
    bad: `
      A: Ja?
      C: Guten Tag, mein Paket mit der Nummer vier sieben eins eins ist nicht angekommen, können Sie mir helfen?
      A: Das ist nicht mein Problem.
      C: Das ist eine Frechheit, ich bin nicht zufrieden.
      A: Tja.`,
    failing: [
      'greeting.opens',
      'greeting.company',
      'greeting.name',
      'problem.understood',
      'problem.details',
      'problem.resolved',
      'problem.accepted',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.more',
      'closing.thanks',
      'closing.farewell',
    ],
    changes: [
      { from: 'A: Mein Name ist Anna Schmidt.', to: 'A: Sie sind hier richtig.', flips: { 'greeting.name': 'fail' } },
      {
        from: 'A: Wie kann ich Ihnen helfen?',
        to: 'A: Sie rufen heute bei uns an.',
        flips: { 'greeting.offer': 'not_applicable' },
      },
      {
        from: 'A: Ich habe den Termin geändert.',
        to: 'A: Das geht leider heute gar nicht.',
        flips: { 'problem.resolved': 'fail' },
      },
      {
        from: 'A: Ich habe den Termin geändert.',
        to: 'A: Wir melden uns bei Ihnen.',
        flips: { 'problem.resolved': 'partial' },
      },
      {
        from: 'A: Kann ich sonst noch etwas für Sie tun?',
        to: 'A: Draußen ist es heute ganz schön warm.',
        flips: { 'closing.more': 'fail' },
      },
      { from: 'A: Auf Wiederhören.', to: 'A: Das ist jetzt so notiert.', flips: { 'closing.farewell': 'fail' } },
      {
        from: 'A: Der Techniker klingelt zweimal und meldet sich vorher nicht mehr bei Ihnen an der Tür.',
        to: 'A: Sind Sie eigentlich taub, das sage ich Ihnen nun schon zum zweiten Mal am Telefon?',
        flips: { 'professionalism.respect': 'fail' },
      },
    ],
  },
  sales: {
    good: `
      I: Dieses Gespräch wird zu Schulungszwecken aufgezeichnet.
      A: Guten Tag, Frau Weber.
      A: Mein Name ist Jonas Keller von der Firma Lichtblick Energie.
      A: Ich rufe Sie an, weil Ihr Vertrag im Mai ausläuft.
      A: Haben Sie kurz Zeit?
      C: Ja, ein paar Minuten habe ich, worum geht es denn genau?
      A: Was ist Ihnen bei einem Stromtarif besonders wichtig?
      C: Dass der Preis stabil bleibt, denn zuletzt ist er jedes Jahr gestiegen und das ärgert mich schon sehr.
      A: Mit unserem Tarif sparen Sie eine Menge Geld.
      C: Das klingt nicht schlecht.
      A: Das kostet neunundzwanzig Euro im Monat.
      A: Die Vertragslaufzeit sind zwölf Monate.
      A: Sie können innerhalb von vierzehn Tagen widerrufen.
      C: Gut, das verstehe ich und das ist auch fair so.
      A: Möchten Sie den Tarif gleich bestellen?
      C: Ja, gerne, dann machen wir das so.
      A: Vielen Dank für Ihr Vertrauen.
      A: Ich wünsche Ihnen einen schönen Tag, auf Wiederhören.`,
    bad: `
      A: Es geht um Strom.
      C: Hallo, wer ist denn da, rufen Sie mich nicht mehr an.
      A: Sie müssen sich heute noch entscheiden, das Angebot gilt nur heute.
      C: Nein.
      A: Selber schuld.`,
    failing: [
      'opening.opens',
      'opening.company',
      'opening.name',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.thanks',
      'closing.farewell',
      'compliance.notice',
      'compliance.doNotCall',
      'compliance.urgency',
    ],
    changes: [
      {
        from: 'I: Dieses Gespräch wird zu Schulungszwecken aufgezeichnet.',
        to: 'I: Bitte haben Sie einen Augenblick Geduld.',
        flips: { 'compliance.notice': 'fail' },
      },
      { from: 'A: Haben Sie kurz Zeit?', to: 'A: Ihr Zähler steht im Keller.', flips: { 'opening.time': 'fail' } },
      {
        from: 'A: Was ist Ihnen bei einem Stromtarif besonders wichtig?',
        to: 'A: Unser Stromtarif ist bei vielen Kunden beliebt.',
        flips: { 'discovery.needs': 'fail' },
      },
      {
        from: 'A: Die Vertragslaufzeit sind zwölf Monate.',
        to: 'A: Der Strom kommt aus Wasserkraft.',
        flips: { 'offer.terms': 'fail' },
      },
      {
        from: 'A: Sie können innerhalb von vierzehn Tagen widerrufen.',
        to: 'A: Der Strom kommt aus der Region.',
        flips: { 'compliance.cancellation': 'fail' },
      },
      {
        from: 'A: Sie können innerhalb von vierzehn Tagen widerrufen.',
        to: 'A: Sie haben 14 Tage Widerrufsrecht.',
        flips: {},
      },
      {
        from: 'A: Das kostet neunundzwanzig Euro im Monat.',
        to: 'A: Der Tarif ist wirklich sehr günstig.',
        flips: { 'offer.price': 'fail', 'compliance.price': 'fail' },
      },
      {
        from: 'A: Möchten Sie den Tarif gleich bestellen?',
        to: 'A: Sie müssen sich jetzt sofort entscheiden.',
        flips: {
          'offer.close': 'fail',
          'compliance.urgency': 'fail',
          'compliance.price': 'not_applicable',
          'compliance.cancellation': 'not_applicable',
        },
      },
      {
        from: 'A: Möchten Sie den Tarif gleich bestellen?',
        to: 'A: Sie müssen sich nicht heute entscheiden, möchten Sie den Tarif bestellen?',
        flips: {},
      },
    ],
  },
  support: {
    good: `
      I: Das Gespräch kann zur Qualitätssicherung aufgezeichnet werden.
      A: Hallo und herzlich willkommen beim technischen Kundendienst.
      A: Mein Name ist Petra Lang.
      A: Was kann ich für Sie tun?
      C: Hallo, mein Internet funktioniert nicht.
      A: Das tut mir leid, das ist natürlich ärgerlich.
      A: Seit wann ist das so?
      C: Seit gestern Abend.
      A: Welche Lampe leuchtet am Router?
      C: Nur die rote.
      A: Ziehen Sie bitte den Stecker und warten Sie zehn Sekunden.
      C: Mache ich.
      A: Danke, ich setze die Leitung von hier aus zurück.
      A: Das Problem ist behoben.
      A: Können Sie jetzt wieder die Seiten öffnen?
      C: Ja, es funktioniert wieder, vielen Dank.
      A: Haben Sie sonst noch Fragen?
      C: Nein, danke.
      A: Vielen Dank für Ihren Anruf.
      A: Schönen Tag noch, auf Wiederhören.`,
    bad: `
      A: Technik.
      C: Guten Morgen, mein Internet geht seit gestern nicht mehr, können Sie mir helfen?
      A: Da kann man nichts machen.
      C: Das ist inakzeptabel, das hilft mir nicht.
      A: Es ist halt so.`,
    failing: [
      'greeting.opens',
      'greeting.company',
      'greeting.name',
      'diagnosis.acknowledged',
      'diagnosis.empathy',
      'diagnosis.questions',
      'solution.steps',
      'solution.checked',
      'solution.resolved',
      'solution.ticket',
      'solution.accepted',
      'professionalism.courtesy',
      'closing.more',
      'closing.thanks',
      'closing.farewell',
      'compliance.notice',
    ],
    changes: [
      {
        from: 'A: Das tut mir leid, das ist natürlich ärgerlich.',
        to: 'A: Wenn ich Sie richtig verstehe, geht gar nichts mehr.',
        flips: { 'diagnosis.empathy': 'fail' },
      },
      {
        from: 'A: Können Sie jetzt wieder die Seiten öffnen?',
        to: 'A: Der Router steht hoffentlich frei im Raum.',
        flips: { 'solution.checked': 'fail' },
      },
      {
        from: 'A: Das Problem ist behoben.',
        to: 'A: Ein Techniker kommt morgen zu Ihnen.',
        flips: { 'solution.resolved': 'partial', 'solution.ticket': 'fail' },
      },
      {
        from: 'A: Das Problem ist behoben.',
        to: 'A: Ein Techniker kommt morgen, Ihre Ticketnummer lautet acht acht.',
        flips: { 'solution.resolved': 'partial', 'solution.ticket': 'pass' },
      },
      {
        from: 'A: Haben Sie sonst noch Fragen?',
        to: 'A: Heute rufen sehr viele Leute hier an.',
        flips: { 'closing.more': 'fail' },
      },
    ],
  },
  collections: {
    good: `
      I: Dieser Anruf wird aufgezeichnet.
      A: Guten Tag, mein Name ist Martin Vogel von der Firma Nordinkasso.
      A: Spreche ich mit Frau Bauer?
      C: Ja, das bin ich.
      A: Zur Sicherheit brauche ich bitte Ihr Geburtsdatum.
      C: Dritter Mai neunzehnhundertachtzig.
      A: Danke, ich rufe wegen einer offenen Forderung der Telekom an.
      A: Der offene Betrag liegt bei zweihundert Euro.
      C: Ja, ich weiß, ich hatte einen Engpass.
      A: Das kann ich verstehen, was ist der Grund dafür?
      C: Ich war länger krank.
      A: Wir können Ihnen eine Ratenzahlung anbieten.
      C: Vierzig Euro im Monat könnte ich zahlen.
      A: Sie zahlen also vierzig Euro im Monat, die erste Rate ist am ersten Juni.
      C: Einverstanden.
      A: Vielen Dank für das Gespräch.
      A: Alles Gute und auf Wiederhören.`,
    bad: `
      A: Sie schulden uns Geld.
      C: Hallo, wer ist denn da, was wollen Sie von mir?
      A: Zahlen Sie heute oder wir nehmen Ihnen das Auto weg.
      C: Das ist eine Frechheit.
      A: Die Polizei kommt zu Ihnen.`,
    failing: [
      'opening.opens',
      'opening.company',
      'opening.name',
      'opening.identity',
      'account.amount',
      'account.situation',
      'arrangement.plan',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.thanks',
      'closing.farewell',
      'compliance.disclosure',
      'compliance.threats',
      'compliance.pressure',
      'compliance.notice',
    ],
    changes: [
      {
        from: 'A: Danke, ich rufe wegen einer offenen Forderung der Telekom an.',
        to: 'A: Danke, das passt so zu meinen Unterlagen hier.',
        flips: { 'compliance.disclosure': 'fail' },
      },
      {
        from: 'A: Wir können Ihnen eine Ratenzahlung anbieten.',
        to: 'A: Dann muss das Geld eben trotzdem kommen.',
        flips: { 'arrangement.plan': 'fail', 'arrangement.recap': 'not_applicable' },
      },
      {
        from: 'A: Sie zahlen also vierzig Euro im Monat, die erste Rate ist am ersten Juni.',
        to: 'A: Gut, so machen wir es dann.',
        flips: { 'arrangement.recap': 'fail' },
      },
      {
        from: 'A: Alles Gute und auf Wiederhören.',
        to: 'A: Auf Wiederhören, sonst werden Sie verhaftet.',
        flips: { 'compliance.threats': 'fail' },
      },
      { from: 'A: Alles Gute und auf Wiederhören.', to: 'A: Auf Wiederhören, Sie werden nicht verhaftet.', flips: {} },
    ],
  },
};
