import { type AccusationBook, phrases } from './accusation-book.ts';

export const spanish: AccusationBook = {
  clear: {
    insult: phrases(`
      es usted tonto/tonta/idiota/imbécil/estúpido/estúpida/inútil/subnormal,
      no sea tonto/tonta/ridículo/ridícula/pesado/pesada, aprenda a leer, deje de quejarse/llorar/gritar/lloriquear,
      no me haga perder el tiempo, qué parte no entiende, vayase a la mierda, váyase al carajo, no diga tonterías,
      no sea bruto/bruta, usted es un inútil/ignorante, usted es una inútil/ignorante, cada día llaman más brutos
    `),
    blame: phrases(`
      es culpa suya, es su culpa, la culpa es suya, la culpa es solo suya, eso le pasa por tonto/tonta
    `),
    threat: phrases(`
      se va a arrepentir, se arrepentirá, lo va a lamentar, lo lamentará, aténgase a las consecuencias,
      le arruinaremos/arruinaré, le voy a arruinar
    `),
  },
  possible: {
    insult: phrases(`
      cállese, cierre la boca, está usted sordo/sorda/ciego/ciega/loco/loca, está sordo/sorda/ciego, me da igual,
      no me importa, a mí qué me importa/cuenta, a mi que, gente como usted, gente como ustedes, la gente como usted,
      personas como usted, los que son como usted, no me haga perder, aprenda a hablar/escuchar/contar/español,
      no entiende nada, váyase a, con usted no se puede, no le entra en la cabeza, es bronca suya,
      qué le pasa a usted, no le da la cabeza, no le da para, qué flojera, flojera de gente, tan brutos
    `),
    sarcasm: phrases(`
      se lo dibujo, se lo explico con dibujos, le hago un dibujo, le hago un croquis, quiere que se lo dibuje,
      qué pena me da, mire cómo lloro, pobrecita, pobrecito, qué lástima me da, lo felicito es el primero,
      la felicito, qué completa, enhorabuena ya, ya tiene spa, por fin se entera, qué listo, qué lista,
      para quejarse bien, saque el lado bueno, qué raro no, qué coincidencia, ahora todos tienen, qué moderno,
      que tenga suerte que la va
    `),
    blame: phrases(`
      leer cuesta, es que leer, leer es un esfuerzo, luego pasa lo que pasa, después lloran, luego lloran,
      eso se pregunta antes, haberlo pensado, haberlo leído, haber leído, haber preguntado, si se fijara,
      si no la olvidara, si no fuera tan, póngase las pilas, mire mejor, poner atención, ponga atención,
      con mirar no se paga, quién le manda, a quién se le ocurre, por eso les, por eso se las, por eso las,
      seguro que lo, con prisas es usted, le pico, quieren que uno les haga, respeto el que tenéis, los que llegáis
    `),
    contempt: phrases(`
      a su edad, niño de, niño de seis/cinco años, crío de seis/cinco años, un crío, lo entiende un niño,
      lo entiende cualquiera, todo el mundo lo trae/sabe/entiende menos, menos usted, no le enseñaron,
      no le han enseñado, no fue a la escuela/al colegio, yo no soy su niñera/mamá/madre/secretaria/criada, mijita,
      mija, mi reina, abuela, señora por favor, tan difícil es, no es tan difícil, no era tan difícil, vio que no era,
      no distingue, alguien que no, usted solo el, usted solita, usted solito, vuelva a su país, de donde viene,
      sigue pobre, por eso está como está, sabe un buen, no le cuesta nada
    `),
    threat: phrases(`
      sabemos dónde vive, sé dónde vive, le vamos a mandar a la policía, vamos a llamar a la policía,
      voy a llamar a la policía, irá/ir a la cárcel, nos veremos en los tribunales/el, le quitaremos/embargaremos,
      le vamos a quitar/embargar, último aviso, se queda sin trabajo/casa/luz/piso, se queda en la calle,
      está usted en la calle, a la calle, va un señor, a cobrarle delante, delante de los vecinos, le advierto,
      se le bloquean, le bloqueo, le van a poner nota, despues no diga, no diga que no se lo advertimos, lo denuncio,
      le denuncio, le pongo una denuncia, le va a salir caro, ya verá, va a ver lo que, usted verá, atengase,
      le voy a cobrar, le pasara algo, les pasara algo, le pase algo, les pase algo, lo deportan, deportarlo,
      deportar, lo van a echar, la van a echar, pierde el trabajo, perder el trabajo, perder la casa,
      tenemos su dirección no lo olvide, tenemos su dirección * olvide
    `),
  },
  faint: phrases(`
      otra vez, se lo tengo que decir, cuántas veces, se lo repito, ya se lo dije, ya le dije, tenemos su dirección,
      no lo olvide, que no se le olvide, téngalo en cuenta, y qué, qué quiere que le haga, y yo qué, ay sí, vaya vaya,
      mándele saludos, enhorabuena, qué raro, mire, claro claro, así que piénsele, así que usted sabe
    `),
  commands: phrases(`
      váyase/vaya/vete/ándate al diablo/infierno, váyase/vete al carajo,
      no es mi problema, ese no es mi problema, eso no es mi problema, es su problema, ese es su problema,
      eso es problema suyo, cállese, cállate, cierre la boca, lárguese, vete, espabile, espabila, fuera de aquí
    `),
  foul: 'gilipollas cabrón cabrona pendejo pendeja hijueputa hijoputa culero mamón'.split(' '),
  mixed: 'mierda joder jodido jodida puta puto carajo chingada chingar hostia coño verga maldito maldita'.split(' '),
  names:
    'imbécil imbéciles idiota idiotas estúpido estúpida tonto tonta tontos bruto bruta inútil tarado tarada burro burra mentiroso mentirosa'.split(
      ' ',
    ),
  rude: 'ridículo ridícula pesado pesada ignorante torpe loco loca vago vaga'.split(' '),
  you: 'usted ustedes le su sus tu tú te vos es eres sea está'.split(' '),
  own: 'yo mi me soy nosotros nuestro qué'.split(' '),
  reporting: 'dijo dije dice dicen dijeron llamó llamado llamaron escribió palabra según puso cree piensa'.split(' '),
  hedges: 'libro película título novela barco canción perra perro burro si nadie sería podría'.split(' '),
  spelling: ['de', 'como'],
  naming: 'señor señora calle avenida plaza llama apellido apellida empresa'.split(' '),
  conditions: phrases(`
      si no paga, si no firma, si no, si sigue, si cuelga, en cuanto ponga, pague ahora/hoy/ya, o paga, o firma,
      antes de decirme, si hoy no, si le paso
    `),
  frames: phrases(`
      si no firma/paga/acepta, sería una lástima, sería una pena, qué pena sería, qué lástima sería, una llamada mía,
      una llamada, una palabra mía, se van a enterar, se va a enterar, se entere, se enteren, piense en, imagínese,
      no tiene por qué enterarse, qué diría/dirá su, qué dirán, les pasara, le pasara, le quiten, le quitan,
      le quiten a, cuídelos, cuide a, voy a hablar con su, hablo con su, llamo a su, sin trabajo, sepa su
    `),
  targets:
    'hijos hijo hija hijas niños niño niña mujer marido esposa esposo familia madre padre mamá papá nietos jefe jefa trabajo empleo casa piso alquiler papeles residencia visa permiso extranjería migración vecinos escuela colegio casero'.split(
      ' ',
    ),
  offers: phrases(`
      quiere que, si quiere, si desea, como usted pidió, como pidió, desea que, le dará, cubre, no se preocupe,
      contra el, contra la, por usted, para usted
    `),
  guarantees: {
    clear: phrases(`
      se lo garantizo que, le garantizo que el banco, le garantizo que va a ganar, garantizado al cien,
      doblar su dinero, duplicar su dinero, va a doblar, va a duplicar, se lo aprueba al ciento, garantizo por escrito
    `),
    possible: phrases(`
      le garantizo/garantizamos, yo le garantizo, se lo garantizo/garantizamos, garantizado, garantizada,
      resultado/ganancia/beneficio/rentabilidad garantizado/garantizada,
      le prometo/prometemos que va/se/su/ganará/tendrá, se lo prometo, sin ningún riesgo, sin riesgo alguno,
      no hay ningún riesgo, no hay riesgo, no puede perder, cien por cien/ciento seguro/garantizado,
      ciento por ciento, al cien por cien, no hay forma de perder, no hay manera de perder, imposible perder,
      doble su dinero, confíe en mí, le doy mi palabra, de mamá a mamá, el que estudia con nosotros entra,
      eso está hablado
    `),
    outcomes: 'aprueba aprueban ganar ganará gana dinero entra pasa beneficio rentabilidad ciento nunca'.split(' '),
  },
  secrecy: phrases(`
      esto queda entre nosotros, queda entre nosotros, que quede entre nosotros, entre usted y yo,
      no se lo diga/cuente/comente, no le diga/cuente/comente, no diga/cuente/comente, ni palabra,
      no le vaya a contar, no la vaya a comentar, no lo vaya a, guarde el secreto, manténgalo en secreto, en secreto,
      yo no le he dicho nada, no tiene por qué enterarse, no tiene que enterarse, no hace falta que se entere,
      que no se entere, no le comente, información de la casa
    `),
  urgency: phrases(`
      cuando cuelgue, si cuelga, diga que sí ya, así que diga que sí, la oferta se muere, se muere a las, hasta hoy y,
      si lo piensa lo perdió, decida ahora, solo ahora, en cuanto cuelgue, ahora o nunca
    `),
  deadlines: phrases(`
      tiene que decidir/decidirse/firmar hoy/ahora/ya, debe decidir/decidirse/firmar hoy/ahora/ya,
      decida/firme/decídase hoy/ya, si no firma/decide/acepta hoy, la oferta vence/muere hoy
    `),
  protests: phrases(`
      me está amenazando, me amenaza, eso es una amenaza, no me hable así, no me hable en ese tono,
      qué falta de respeto, falta de respeto, cómo se atreve, qué grosero, qué grosera, grosero, grosera, maleducado,
      maleducada, perdone, cómo dice, me está insultando, me insulta, no soy tonto, no soy tonta, se burla,
      se está burlando, quién se cree, su nombre por favor, ese tono
    `),
  resistance: phrases(`
      no me presione/presionen, me está presionando, me quiere presionar, no me meta prisa, no me apure/apures,
      demasiado bueno para ser, demasiado bonito para ser, suena a estafa, esto/eso es una estafa, es una estafa,
      por qué no puedo/debo decirlo/contarlo/decírselo/contárselo, por qué no se lo puedo, por qué tanta prisa,
      por qué tanto secreto, a qué viene la/tanta prisa, a qué viene tanto
    `),
};
