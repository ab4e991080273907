import { foldWord } from '../../model/text/fold.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u).map(foldWord));

/** What people talk about and how, by single words: a recogniser that mishears the sentence mostly hears some of them. */
export const ROLE_TOPICS = {
  family: words(
    `husband wife mum mom dad son daughter kid kids sister brother mother father grandma nan auntie uncle neighbour neighbor
    boyfriend girlfriend fiance landlord mann sohn tochter mutter vater bruder schwester oma opa enkel enkelin schwiegermutter
    schwager nachbar nachbarin freundin kinder marido mujer esposo esposa hijo hija madre padre hermano hermana suegra suegro
    cunado cunada abuela abuelo vecino vecina novio novia nino nina mama papa nietos муж мужа мужу жена жены жене сын сына дочь
    дочка дочки дочке мама мамы папа папы зять теща свекровь брат сестра бабушка бабушки дед сосед соседи соседка ребенок ребенка внук
    внучка внуки дети`,
  ),
  firm: words(
    `colleague colleagues technician engineer engineers driver courier workshop warehouse depot branch office department
    manager supervisor team fitter surveyor dispatch reception counter kollege kollegen kollegin techniker monteur fahrer werkstatt
    filiale buro abteilung chef chefin zentrale disposition meister lehrling companero companera tecnico mensajero repartidor
    taller almacen sucursal oficina departamento encargado encargada gerente operario central delegacion коллега коллеги
    техник мастер мастера мастеру курьер водитель склад складе офис отдел бригада бригаду диспетчер менеджер бухгалтерия механик
    инженер логист филиал специалист`,
  ),
  papers: words(
    `system screen file note notes list log ticket booking reservation invoice order reference record records form account
    database docket quote policy claim system bildschirm akte notiz vermerk liste auftrag buchung rechnung vorgang kartei formular
    unterlagen angebot vertrag kundennummer sistema pantalla ficha nota lista pedido reserva factura expediente parte aviso
    albaran contrato formulario referencia система системе экран карточка карточке заявка заявку заявке заказ заказа бронь счет
    накладная накладную договор договора договору журнал базе база список анкета`,
  ),
  stock: words(
    `available stock slot slots appointment appointments opening space spaces left earliest cheapest option options size
    sizes vorratig verfugbar lager frei termin termine platz platze fruhestens variante disponible disponibles hueco huecos cita
    plaza plazas stock existencias quedan queda свободно свободное свободна свободен окошко окно наличии место места запись остались
    осталось есть`,
  ),
  price: words(
    `price cost costs charge fee pounds pound quid dollars dollar bucks euros euro cents pence deposit discount vat total
    refund kostet kosten preis gebuhr rabatt anzahlung summe brutto netto mehrwertsteuer precio cuesta coste costo cargo tarifa
    pesos descuento fianza senal iva total reembolso стоит стоимость цена цене руб рублей рубля рубль скидка скидку предоплата
    доплата итого сумма тариф тысяч тысячи`,
  ),
  time: words(
    `monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday morning afternoon evening tonight noon
    week weeks weekend month months hour hours minute minutes day days clock half quarter january february march april june july
    august september october november december montag dienstag mittwoch donnerstag freitag samstag sonntag heute morgen gestern
    nachmittag abend vormittag woche wochen monat monate stunde stunden minuten tag tage uhr halb viertel januar februar marz mai juni
    juli oktober dezember lunes martes miercoles jueves viernes sabado domingo hoy manana ayer tarde noche semana semanas mes meses
    hora horas minutos dia dias media cuarto enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье сегодня завтра вчера утром утра днем вечера
    вечером неделя недели неделю месяц месяца час часа часов минут день дня дней полчаса января февраля марта апреля мая июня июля
    августа сентября октября ноября декабря`,
  ),
  trouble: words(
    `broken broke stuck wrong leak leaking leaks noise dead missing lost fault faulty error problem crack cracked damaged
    dirty smell smells burst blocked hurts pain swollen scratch stain gone stopped crashed torn late kaputt defekt fehlt fehler
    problem falsch klemmt tropft undicht gerausch laut stinkt gerissen weg verloren beschadigt schmerzen tut kratzer fleck
    ausgefallen roto rota averia falla fallo fuga gotea ruido raro rara problema perdido perdida manchado mancha golpe duele
    dolor danado atascado equivocado сломался сломалась сломалось сломан течет капает шумит гудит треснул треснула порвался потерял
    потеряла пропал пропала проблема ошибка ошибку болит пятно царапина скрипит воняет пахнет застрял застряла`,
  ),
  hedge: words(
    `think guess maybe probably perhaps suppose reckon somewhere something roughly about dunno glaube denke vielleicht
    wahrscheinlich ungefahr irgendwo irgendwas schatze keine creo supongo quiza quizas igual mas menos algo pienso imagino наверное
    кажется вроде может примерно где-то думаю по-моему какой-то какая-то`,
  ),
  exclaims: words(
    `oh god gosh blimey wow ouch oops ugh brilliant lovely ha haha joking seriously really damn bloody hell sake ach oh
    mensch mist herrje gott quatsch echt wahnsinn krass toll super na ay uy vaya madre dios hombre mujer anda hostia joder jaja
    ostras caray hijole ой ох ого боже господи надо же блин да ну ничего себе ужас елки здорово правда`,
  ),
  tells: words(
    `try press pull push hold turn click bring send give tell check look leave keep wait read spell pop sign put take open
    geben sagen schicken schauen drucken ziehen halten lassen warten bringen nehmen lesen buchstabieren machen kommen rufen schreiben
    bleiben deme digame espere mire pulse tire ponga traiga mande envie compruebe lea deletree dejeme pase venga llame
    abra cierre apague encienda diga espera dime dame mira pon trae manda pasa llama скажи дай подожди посмотри нажми пиши
    записывай запиши открой`,
  ),
  works: words(
    `check book send arrange confirm log issue update transfer process schedule cancel amend note forward raise email text
    prufe buche schicke notiere bestelle leite storniere trage vermerke veranlasse gucke schaue sehe melde kummere compruebo reservo
    envio mando apunto anoto paso tramito gestiono aviso miro veo consulto confirmo проверю проверяю оформлю оформляю отправлю
    запишу записываю запишем передам вижу смотрю уточню посмотрю перезвоню перезвоним вышлю выпишу сделаю сделаем поставлю закажу`,
  ),
  wants: words(
    `need needs want wanted wondering hoping looking afford prefer mind help brauche brauch will wollte mochte wurde
    hatte suche gern quiero queria quisiera necesito busco querria gustaria prefiero хочу хотел хотела хотелось нужно нужен нужна
    надо можно`,
  ),
  assures: words(
    `worries worry sorry apologise apologize apologies unfortunately afraid understand understood course certainly
    absolutely sure happy glad leider selbstverstandlich naturlich verstehe entschuldigung entschuldigen sorge kein tranquilo tranquila
    preocupe disculpe lamento entiendo supuesto claro perdone desgraciadamente конечно понимаю извините простите сожалению разумеется
    обязательно беспокойтесь волнуйтесь переживайте`,
  ),
} satisfies Record<string, ReadonlySet<string>>;

/** How an utterance begins, finer than as an answer: some beginnings go on with what was just said. */
export const FINE_STARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  i: words('i ich yo я у'),
  you: words('you sie du usted tu te le вы ты вам вас'),
  we: words('we wir nosotros мы'),
  it: words('it es das this that der die den dem dieser eso esto esta este lo la это этот эта там тут'),
  they: words('he she they him her er sie ihr el ella ellos ellas он она они его ее'),
  the: words(
    'the a an my our his their ein eine einen mein meine unser los las un una mi mis mio su sus мой моя наш наша',
  ),
  from: words(
    `in on at from with to for by of under near until after before over past im am an auf bei mit von zu zum zur nach vor
    bis aus fur um ab en de con por para hasta desde sobre sin в на с со к по из от до за под без через около`,
  ),
  because: words('because since cause cos weil denn da damit porque que как чтобы потому раз'),
  or: words('or either oder o или либо'),
  if: words('if unless when wenn falls ob si cuando если когда'),
  which: words('which who where that welche die der was wo que donde который которая которое где'),
  only: words(
    'only just except especially even still nur bloss halt eben auch noch solo incluso tambien encima только даже еще тоже',
  ),
  now: words(
    'then so well anyway now actually right dann also tja nun jetzt gut pues entonces bueno luego ahora то тогда ну вот так значит',
  ),
  not: words('not nicht kein keine ni tampoco не ни'),
  there: words('there here da hier hay ahi aqui alli вот вон здесь тут есть'),
};

/** How an utterance ends: some endings have to be gone on from, and some wait for the other one. */
export const FINE_ENDS: Readonly<Record<string, ReadonlySet<string>>> = {
  hangs: words(
    `the a an my your our his her their this and but or so because if to of for with from in on at by is are was were than as
    like der die das den dem ein eine einen mein meine ihr ihre und aber oder weil wenn dass zu von mit fur aus im am auf el la
    los las un una mi su y pero o porque si que de con por para en del al es и а но или что чтобы если в на с к по из от до за у
    для не`,
  ),
  tag: words('right okay yeah eh is it then no verdad vale ja oder ne gell nicht да так нет правильно верно хорошо'),
  person: words('you me us it him them sie mir uns ihnen usted le me te вам вас мне меня нам ему'),
  asksFor: words('please bitte favor пожалуйста'),
  leaves: words('bye goodbye later soon tschuss wiederhoren adios luego hasta свидания пока'),
};

/** The word that says what is asked for, and so what an answer may hold. */
export const QUESTION_KINDS: Readonly<Record<string, ReadonlySet<string>>> = {
  when: words('when wann cuando когда'),
  where: words('where whereabouts wo wohin woher donde adonde где куда откуда'),
  many: words(
    'many much long old often big viel viele lange alt oft gross cuanto cuanta cuantos cuantas tan сколько насколько',
  ),
  which: words('which welche welcher welches welchen cual cuales какой какая какое какие какую'),
  who: words('who whose wer wem wessen quien quienes кто чей кому'),
  why: words('why how warum wieso weshalb wie como porque почему зачем как'),
  what: words('what was que что чем чего'),
};
