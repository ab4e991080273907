/** Calls to small businesses in German, one line for each utterance; `A` is the agent. */
export const german: readonly string[] = [
  `A: Autohaus Berger, Werkstatt, mein Name ist Kerstin Vogel, was kann ich für Sie tun?
  C: Ja hallo, Schuster hier. Ich bräuchte einen Termin zum Reifenwechsel.
  A: Gerne. Haben Sie die Räder bei uns eingelagert?
  C: Ja, seit letztem Herbst.
  A: Dann bräuchte ich einmal das Kennzeichen.
  C: M, A, S, zwei acht vier.
  A: Moment, ich schaue mal nach.
  A: Ich hätte am Mittwoch um halb neun noch etwas frei.
  C: Mittwoch ist schlecht. Geht auch Freitag?
  A: Freitag erst wieder um sechzehn Uhr.
  C: Das passt.
  A: Dann trage ich Sie ein. Wollen Sie warten oder das Auto dalassen?
  C: Wie lange dauert das denn?
  A: Ungefähr vierzig Minuten.
  C: Dann warte ich. Was kostet das inzwischen?
  A: Neununddreißig Euro mit Wuchten.
  C: In Ordnung.
  A: Schön, dann bis Freitag, Herr Schuster.
  C: Bis dann, tschüss.
  A: Auf Wiederhören.`,
  `A: Stadtwerke Neuburg, guten Tag, Sie sprechen mit Herrn Albrecht.
  C: Guten Tag. Ich habe hier eine Rechnung bekommen, die kann nicht stimmen.
  A: Worum geht es denn genau?
  C: Ich soll achthundert Euro nachzahlen, obwohl ich den halben Sommer weg war.
  A: Das sehen wir uns an. Wie lautet Ihre Kundennummer?
  C: Vier vier null sieben eins neun.
  A: Danke. Frau Lindner, richtig?
  C: Genau.
  A: Der Zählerstand wurde geschätzt, weil wir keine Meldung von Ihnen hatten.
  C: Ich habe nie eine Karte bekommen.
  A: Das tut mir leid. Können Sie den Stand jetzt ablesen?
  C: Da müsste ich in den Keller. Einen Augenblick.
  A: Kein Problem, ich warte.
  C: So, da steht zwölftausend vierhundert acht.
  A: Damit sind es deutlich weniger. Ich korrigiere die Abrechnung, und Sie bekommen in einer Woche eine neue.
  C: Und die alte muss ich nicht bezahlen?
  A: Nein, die ist damit hinfällig.
  C: Da bin ich aber froh. Vielen Dank.
  A: Gern geschehen. Haben Sie sonst noch eine Frage?
  C: Nein, das war alles.
  A: Dann wünsche ich Ihnen einen schönen Tag.
  C: Danke, Ihnen auch.`,
  `C: Krause?
  A: Guten Tag Frau Krause, hier ist die Praxis Doktor Wendt.
  C: Ah ja, guten Tag.
  A: Wir müssten Ihren Termin am Donnerstag leider verschieben, die Frau Doktor ist krank.
  C: Oh, das ist aber dumm. Ich brauche das Rezept bis Ende der Woche.
  A: Das Rezept können wir Ihnen auch so ausstellen.
  C: Muss ich dafür vorbeikommen?
  A: Nein, das geht elektronisch, Sie brauchen nur Ihre Karte in der Apotheke.
  C: Das ist ja praktisch. Und wann wäre der neue Termin?
  A: Am neunzehnten um acht Uhr dreißig?
  C: Haben Sie nichts am Nachmittag?
  A: Nachmittags wäre es dann der zweiundzwanzigste, um fünfzehn Uhr.
  C: Gut, den nehme ich.
  A: Alles klar, ist notiert.
  C: Wiederhören.
  A: Auf Wiederhören, Frau Krause.`,
  `A: Internet Nord, Störungsannahme, Sie sprechen mit Dennis.
  C: Ja, Tag, bei mir geht seit gestern Abend gar nichts mehr.
  A: Meinen Sie das Internet oder auch das Telefon?
  C: Beides. Ich rufe gerade vom Handy an.
  A: Leuchtet an der Box die rote Lampe?
  C: Die blinkt orange.
  A: Ziehen Sie bitte einmal den Netzstecker und warten Sie zehn Sekunden.
  C: Das habe ich schon dreimal gemacht.
  A: Okay, dann messe ich mal die Leitung durch. Das dauert kurz.
  C: Ja, machen Sie.
  A: Ich sehe hier, dass bei Ihnen in der Straße ein Kabel beschädigt ist.
  C: Wie lange soll das dauern?
  A: Die Kollegen sind dran, voraussichtlich bis heute Abend um acht.
  C: Ich arbeite von zu Hause, das ist eine Katastrophe. Bekomme ich das wenigstens erstattet?
  A: Für jeden vollen Tag schreiben wir Ihnen den Betrag gut.
  C: Na gut. Sagen Sie mir Bescheid, wenn es läuft?
  A: Sie bekommen eine SMS.
  C: Danke.
  A: Gerne. Schönen Tag noch.`,
  `A: Pension Seeblick, Hofer.
  C: Grüß Gott, ich wollte fragen, ob Sie über Ostern noch ein Zimmer haben.
  A: Für wie viele Personen denn?
  C: Zwei Erwachsene und ein Kind, sechs Jahre.
  A: Von wann bis wann?
  C: Von Karfreitag bis Dienstag.
  A: Da hätte ich noch das Familienzimmer im zweiten Stock, hundertzwanzig die Nacht mit Frühstück.
  C: Nehmen Sie auch Hunde?
  A: Ja, das kostet zehn Euro extra am Tag.
  C: Das ist okay. Dann würde ich das gerne reservieren.
  A: Auf welchen Namen?
  C: Maier, mit a i.
  A: Und eine Telefonnummer bräuchte ich noch.
  C: Null eins sieben eins, vier drei zwei, acht acht null.
  A: Wunderbar, Frau Maier. Eine Bestätigung schicke ich Ihnen zu.
  C: Prima, dann bis Ostern.
  A: Ich freue mich. Auf Wiederschauen.`,
  `A: Möbelhaus Lang, Kundendienst, Seidel am Apparat.
  C: Hallo, mein Schrank ist gestern geliefert worden und eine Tür ist total verkratzt.
  A: Ach, das ist ärgerlich. Haben Sie die Auftragsnummer da?
  C: Die steht auf dem Lieferschein, Moment. Neun neun eins zwei.
  A: Ich habe Sie gefunden. Könnten Sie uns ein Foto davon schicken?
  C: An welche Adresse?
  A: An service at moebel minus lang punkt de.
  C: Mache ich. Und wie geht es dann weiter?
  A: Wir bestellen die Tür nach und unser Monteur tauscht sie bei Ihnen aus.
  C: Kostet mich das was?
  A: Nein, natürlich nicht.
  C: Und wie lange warte ich da drauf? Beim letzten Mal waren es drei Monate.
  A: Zurzeit sind es ungefähr vier Wochen.
  C: Das ist mir zu lang. Kann ich stattdessen einen Nachlass haben?
  A: Da muss ich meinen Chef fragen. Darf ich Sie zurückrufen?
  C: Ja, aber bitte heute noch.
  A: Sie hören bis siebzehn Uhr von mir.
  C: Gut, Wiederhören.`,
  `A: Sparkasse Mittelland, mein Name ist Tobias Frank, guten Morgen.
C: Guten Morgen, meine Karte ist am Automaten eingezogen worden.
A: Das ist natürlich unangenehm. An welchem Automaten war das?
C: Am Bahnhof, vor ungefähr einer Stunde.
A: Ich bräuchte zur Sicherheit Ihr Geburtsdatum und die Kontonummer.
C: Dritter April zweiundsiebzig. Die Kontonummer ist sechs eins null vier vier acht.
A: Vielen Dank, Herr Brandt. Sie haben dreimal die falsche Geheimzahl eingegeben.
C: Kann sein, ich war in Eile.
A: Die Karte schicken wir Ihnen innerhalb von drei Tagen per Post zu.
C: Und wie komme ich bis dahin an Geld?
A: Sie können mit dem Ausweis in jeder Filiale abheben.
C: Alles klar. Brauche ich eine neue Geheimzahl?
A: Nein, die alte bleibt gültig.
C: Gut zu wissen. Danke Ihnen.
A: Sehr gerne. Auf Wiederhören, Herr Brandt.`,
  `C: Ja, bitte?
A: Schönen guten Tag, mein Name ist Jasmin Roth vom Stromanbieter Helios. Spreche ich mit Herrn Petersen?
C: Am Apparat. Worum geht es?
A: Ich würde Ihnen gern unseren neuen Tarif vorstellen, damit sparen Sie bis zu hundert Euro im Jahr.
C: Ich habe gerade erst gewechselt.
A: Darf ich fragen, was Sie im Moment pro Kilowattstunde bezahlen?
C: Das weiß ich nicht auswendig.
A: Das macht nichts. Ich könnte Ihnen unverbindlich ein Angebot schicken.
C: Nein, danke, ich möchte keine Werbung.
A: Verstehe. Dann entschuldigen Sie die Störung.
C: Rufen Sie bitte nicht mehr an.
A: Ich nehme Sie aus der Liste. Einen schönen Abend noch.`,
  `A: Hausverwaltung Kern und Partner, Schmitz.
C: Hallo Frau Schmitz, hier ist Ayse Demir aus der Goethestraße elf. Bei uns tropft es von der Decke.
A: Oh je. In welchem Zimmer denn?
C: Im Bad. Ich habe schon einen Eimer hingestellt, aber es wird immer mehr.
A: Wohnt über Ihnen jemand, den Sie erreichen können?
C: Da macht keiner auf.
A: Gut, ich schicke Ihnen sofort den Notdienst. Sind Sie zu Hause?
C: Ja, ich bleibe hier.
A: Der Installateur ist in einer halben Stunde bei Ihnen. Drehen Sie bitte den Haupthahn zu.
C: Wo finde ich den?
A: Der ist im Keller, links neben der Waschküche.
C: Okay, mache ich. Und wer bezahlt das?
A: Das übernimmt die Versicherung des Hauses, da müssen Sie sich nicht kümmern.
C: Da bin ich erleichtert. Danke für die schnelle Hilfe.
A: Ist doch selbstverständlich. Melden Sie sich, wenn noch etwas ist.`,
  `A: Volkshochschule Altstadt, Anmeldung, was kann ich für Sie tun?
C: Ich wollte mich für den Spanischkurs am Dienstag anmelden.
A: Für Anfänger oder haben Sie Vorkenntnisse?
C: Ich hatte zwei Jahre in der Schule, ist aber lange her.
A: Dann würde ich Ihnen den Kurs am Donnerstag empfehlen, der fängt etwas weiter an.
C: Um wie viel Uhr ist der?
A: Von achtzehn bis neunzehn Uhr dreißig.
C: Das schaffe ich. Was kostet der Kurs?
A: Hundertzwölf Euro für zwölf Abende. Sind Sie Studentin?
C: Leider nicht mehr.
A: Wie ist Ihr Name, bitte?
C: Nina Albers.
A: So, Sie sind angemeldet. Die Unterlagen bekommen Sie per Mail.
C: Super, vielen Dank. Tschüss.
A: Tschüss, viel Spaß.`,
];
