import { type AccusationBook, phrases } from './accusation-book.ts';

export const german: AccusationBook = {
  clear: {
    insult: phrases(`
      halten sie den/die/ihren mund/klappe endlich, halten sie die/ihre klappe, halt die klappe, halt den mund,
      halt dein maul, sie sind dumm/blöd/unfähig/bescheuert/lächerlich/peinlich, stehlen sie mir nicht * zeit,
      verschwenden sie nicht meine zeit, hören sie auf zu jammern/heulen/meckern, was stimmt nicht mit ihnen,
      stellen sie sich nicht so dumm/blöd an, nicht so dumm an, sind sie bescheuert/blöd/bekloppt, so dumm wie sie,
      sie haben doch keine ahnung, sie gehen mir auf die nerven
    `),
    blame: phrases(`
      das ist ihre eigene schuld, ihre eigene schuld, sie sind selbst/selber schuld, selber schuld sie
    `),
    threat: phrases(`
      ich mache sie fertig, wir machen sie fertig, das werden sie bereuen, sonst werden sie es bereuen,
      sie werden es/das bereuen, dann machen sie sich auf was gefasst
    `),
  },
  possible: {
    insult: phrases(`
      halten sie den/ihren mund, sind sie taub/blind/dumm/schwer/betrunken, sind sie * taub/blind/dumm,
      stellen sie sich nicht so an, nicht mein bier, das ist mir egal, ist mir doch egal, mir doch egal,
      das interessiert mich nicht, leute wie sie, solche wie sie, menschen wie sie, lernen sie erst mal,
      lernen sie erst einmal, lernen sie deutsch, richtig deutsch, kein deutsch, haben sie keine augen/ohren,
      was ist mit ihnen los, regen sie sich ab, sie nerven, für dumm verkaufen, nicht so an, mit ihnen kann man nicht,
      tomaten auf den, brett vor dem
    `),
    sarcasm: phrases(`
      kommen mir die tränen, kommen mir ja gleich die tränen, kommen mir gleich die tränen, da weine ich,
      in der seele weh, na bravo, herr professor, frau doktor schlau, papier ist geduldig,
      soll ich ihnen das aufmalen, soll ich ihnen das noch aufmalen, soll ich es ihnen aufmalen, aufmalen oder,
      zum mitschreiben, ganz langsam für sie, extra langsam, ja nee is klar, ein wunder dass sie, hurra,
      wer hätte das gedacht, ach wie schade, fleißkärtchen, der storch
    `),
    blame: phrases(`
      wer lesen kann, lesen kann ist, lesen könn se, lesen können sie ja wohl, hätten sie mal, hätten sie eben,
      hätten sie sich, das wissen sie ja nun, mit ein bisschen nachdenken, ein bisschen nachdenken, denken hilft,
      mitdenken, wenn sie sich mal die mühe, die falsche nummer eingetippt, dafür können wir nichts,
      dann haben sie eben nicht, muss man halt, hätte man halt, das hätten sie, da müssen sie halt, muss halt,
      hätten sie früher, wer zu spät kommt, wer nicht hören will
    `),
    contempt: phrases(`
      jedes schulkind, jedes kind, das kapiert jeder, manche leute haben, in ihrem alter, ältere leute,
      ältere herrschaften, gute frau, junger mann, junge frau, fräulein, mein lieber mann, guter mann,
      sie gehören wohl zu denen, solchen familien, solche hab ich, nichts zu tun, dreimal hören,
      nicht ihr kindermädchen, nicht ihre mutter, nicht ihre sekretärin, ihr kindermädchen, eine dumme weniger,
      ein dummer weniger, wie kann man nur, so schwer kann das nicht, so schwer ist das nicht, da lachen ja,
      wie ein kleines kind, für leute wie, bei euch zu hause, wo sie herkommen, in ihrem land, klingt anders,
      nicht die hellste, nicht der hellste, so was wie sie, begreifen sie das, kapieren sie das, kapierst du,
      geht das nicht in ihren kopf, in ihren kopf
    `),
    consequence: phrases(`
      das wird folgen/konsequenzen haben, wird das konsequenzen haben, wir schicken ihnen die polizei,
      die polizei wird, die polizei kommt, gerichtsvollzieher steht, schick/schicke dir/ihnen den, mahnbescheid,
      aus der schufa, schufa raus, wird teuer für sie
    `),
    threat: phrases(`
      sie kommen ins gefängnis, sie landen im gefängnis, wir/ich wissen/weiß wo sie wohnen, wo sie wohnen,
      wir sehen uns vor gericht, wir ruinieren ihre, letzte warnung, ich warne sie, wir nehmen ihnen ihr/ihre/das/die,
      wir pfänden sie/ihr/ihre/alles, sitzen sie * auf der straße, auf der straße, sitzen sie im dunkeln,
      sind sie ihre stelle/arbeit/wohnung/job los, ihre stelle los, ihren job los, stelle los, job los, wohnung los,
      arbeit los, etwas passiert, was passiert dann, wird für sie teuer, wird teuer für sie, unsere anwälte,
      am seidenen faden, zeige sie an, anzeige gegen sie, rausschmeißen, rauswerfen, lass ich sie * raussetzen,
      kürze ich ihren, kaution können sie, dreht ihnen, sie werden schon sehen, das hat ein nachspiel,
      wird ein nachspiel haben, fliegen sie raus, setzen sie vor die tür, melde sie beim, melden sie beim,
      abgeschoben, abschieben, adresse haben wir * vergessen, adresse haben wir * merken
    `),
  },
  faint: phrases(`
      zum zweiten/dritten/hundertsten/letzten mal, schon zum zweiten/dritten, hundertmal, hundert mal, nun schon,
      wie oft noch, ihre adresse haben wir, haben wir ihre adresse, vergessen sie das nicht, merken sie sich das,
      herrlich, na und, und nun, pech gehabt, kann ja jeder sagen, bravo, natürlich sie, wie auch immer,
      viel vergnügen, ach wirklich, offenbar, mein gott, schön blöd
    `),
  commands: phrases(`
      fahren sie zur hölle, fahr zur hölle, gehen sie zum teufel, scheren sie sich zum teufel, geh zum teufel,
      das ist ihr problem, ihr problem, das ist nicht mein problem, nicht mein problem, selber/selbst schuld,
      halten sie den mund, mund halten, klappe, klappe halten, verschwinden sie, hauen sie ab, verpiss dich, schnauze
    `),
  foul: 'arschloch wichser hurensohn fick ficken fotze missgeburt drecksau vollidiot'.split(' '),
  mixed: 'scheiße scheisse scheiß scheiss verdammt verdammte verdammter verdammten arsch mist kacke'.split(' '),
  names:
    'idiot idioten trottel depp deppen schwachkopf dummkopf blödmann spinner versager lügner sturkopf esel hohlkopf'.split(
      ' ',
    ),
  rude: 'dumm dumme dummer blöd blöde bescheuert bekloppt unfähig lächerlich faul'.split(' '),
  you: 'sie ihr ihre ihnen ihrem ihren du dich dir dein deine'.split(' '),
  own: 'ich mein meine mich mir wir unser'.split(' '),
  reporting:
    'nannte nennen genannt nennt sagte gesagt sagt sagen schrieb schreibt wort meinte meint meinen heißt gehört steht glaubt denkt findet fand'.split(
      ' ',
    ),
  hedges: 'buch film titel spiel roman lied boot ob falls wenn niemand wäre hätte könnte'.split(' '),
  spelling: ['wie', 'fur', 'für'],
  naming: 'herr herrn frau straße weg platz firma name namens familie ort'.split(' '),
  conditions: phrases(`
      wenn sie nicht, wenn sie jetzt nicht, sonst, oder wir, falls sie nicht, solange sie nicht,
      zahlen sie sofort/jetzt/heute, wenn sie weiter, wenn sie noch, wenn sie jetzt, bevor sie nein,
      unterschreiben sie
    `),
  frames: phrases(`
      wenn sie nicht unterschreiben/zahlen/zustimmen, unterschreiben sie nicht, zahlen sie nicht, wäre schade,
      wär schade, wäre doch schade, es wäre ein jammer, ein anruf von mir, ein wort von mir, ein anruf, erfährt,
      erfahren, denken sie an, stellen sie sich vor, muss * nichts wissen, muss ja keiner wissen,
      was wird/würde/wohl ihr, was sagt/sagen ihr, zustoßen, zustößt, passiert, passieren, weggenommen, wegnehmen,
      ärger bekommen, ärger kriegen, schneller als sie denken, auf dem schulweg, nicht vergessen dass, bescheid geben,
      ich rede mal mit ihrem, ich rufe mal bei ihrem, los
    `),
  targets:
    'kinder kindern kind sohn tochter frau mann familie enkel mutter vater chef chefin arbeitgeber stelle job arbeitsplatz arbeit wohnung mietvertrag haus vermieter aufenthaltserlaubnis aufenthaltstitel visum ausländerbehörde papiere jugendamt nachbarn kaution'.split(
      ' ',
    ),
  offers: phrases(`
      möchten sie, wollen sie, wenn sie möchten, wenn sie wollen, wie sie wollten, wie gewünscht, sollen wir,
      soll ich, für sie, keine folgen, das hat für sie keine, keine sorge, gibt ihnen, wird ihnen, versichert,
      abgesichert, gegen den, gegen die
    `),
  guarantees: {
    clear: phrases(`
      garantiere ihnen * nie, garantier dir * bist, garantiere ihnen dass sie, garantiert bekommen/genehmigt,
      garantierte rendite/gewinne, hundertprozentig garantiert, verdoppeln ihr geld, verdoppeln sie ihr geld,
      sie verdoppeln
    `),
    possible: phrases(`
      ich/wir garantiere/garantieren ihnen, garantiere ich ihnen, garantier dir, ich garantiere, wir garantieren,
      garantiert, das garantiere ich ihnen, garantiert bekommen/genehmigt/gewinn/gewinne/rendite,
      ich/wir verspreche/versprechen ihnen dass, das verspreche ich ihnen, hundertprozentig sicher/garantiert,
      hundertpro, völlig/absolut/komplett risikofrei/risikolos, ohne jedes/jegliches/irgendein risiko,
      sie können nichts/nicht verlieren, nichts schiefgehen, nichts schief gehen, mein wort drauf,
      verlassen sie sich drauf, todsicher, bombensicher, das doppelte, nie wieder ein cent, ein leben lang,
      nie mehr einen
    `),
    outcomes: 'genehmigt gewinn rendite nie bestimmt geld prozent schmerzfrei doppelt besteht gesund'.split(' '),
  },
  secrecy: phrases(`
      das bleibt unter uns, bleibt unter uns, bleibt das unter uns, bleibt zwischen uns,
      sagen sie das/es niemandem/keinem, erzählen sie das/es niemandem/keinem, sagen sie niemandem,
      erzählen sie niemandem, sagen sie bitte niemandem, behalten sie das für sich, das haben sie nicht von mir,
      sprechen sie mit niemandem darüber, muss das nicht wissen, muss davon nichts wissen,
      muss davon ja nichts wissen, muss das ja nicht wissen, braucht das nicht zu wissen, braucht davon nichts,
      kein wort zu, unter vier augen, hängen sie das nicht, nicht an die große glocke
    `),
  urgency: phrases(`
      nur jetzt am telefon, sobald sie auflegen, wenn sie auflegen, wenn sie jetzt auflegen, sagen sie jetzt ja,
      nur noch heute, wenn du heute sagst, unterschreib heut, entscheiden sie sich jetzt, sagen sie einfach laut,
      ist das angebot weg
    `),
  deadlines: phrases(`
      müssen sich heute/jetzt/sofort entscheiden, müssen heute/jetzt/sofort unterschreiben/zusagen,
      müssen heute noch unterschreiben/zusagen, müssen sich heute noch entscheiden, entscheiden sie sich heute,
      wenn sie heute nicht unterschreiben/zusagen
    `),
  protests: phrases(`
      drohen sie mir, ist das eine drohung, wie reden sie mit mir, so können sie nicht mit mir, reden sie nicht so,
      unverschämt, eine unverschämtheit, frechheit, wie bitte, was erlauben sie sich, was fällt ihnen ein,
      beleidigen sie, ich bin nicht dumm, ihr ton, in dem ton, diesen ton, ihren namen bitte, machen sie sich lustig
    `),
  resistance: phrases(`
      setzen sie mich nicht unter druck, mich unter druck setzen, setzen mich unter druck, drängen sie mich nicht,
      lasse mich nicht drängen, lass mich nicht drängen, zu schön um wahr, klingt nach betrug, ist das betrug,
      warum soll/darf ich das/es niemandem/keinem, warum soll/darf das niemand/keiner, warum darf das keiner/niemand,
      warum so eilig, warum die eile, wozu die eile, warum so heimlich
    `),
};
