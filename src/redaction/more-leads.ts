import type { Topic } from './lexicon.ts';

/**
 * Other names of the thing, by topic and language. A `*` stands for any beginning, or any ending, of a word. What may be
 * locked, and where a code is shown, counts only beside words that make a code of it (`leads.ts`).
 */
export const MORE_LEADS: Partial<Record<Topic | 'lock' | 'shown', readonly string[]>> = {
  card: [
    ...list(
      'card on file, card ending, the plastic, on the visa, on my visa, on the mastercard, pay by card, by card, paying by card, a card for, the card with, ' +
        'long one on the front, digits across the middle, numbers across the front, across the front, corporate card, company card, prepaid card, ' +
        'sixteen on the front, big number, raised numbers, embossed, laser card, rupay, eftpos, delta card, electron',
    ),
    ...list(
      '*kreditkarte, *kreditkartennummer, *kartennummer, *bankkarte, *firmenkarte, *debitkarte, lange nummer, die lange, vorderseite, bankomatkarte, maestrokarte, ' +
        'mastercardnummer, visanummer, nummer vorne, vorne drauf, kartn, kartl, postcard, postfinance karte, kartendaten, ziffern der karte',
    ),
    ...list(
      'plástico, dígitos de la tarjeta, número de la tarjeta, números de la tarjeta, los dieciséis, numerito largo, del frente, por delante, de frente, tarjeta de crédito, ' +
        'tarjeta de débito, tarjeta de ahorro, el plástico, la visa, la máster, cabal, naranja, con tarjeta',
    ),
    ...list(
      'картой, карточкой, картам*, пластик, пластиковой, с лицевой, спереди, длинный номер, номер на карте, цифры с карты, цифры карты, кредитк*, дебетов*, каспи голд, ' +
        'сберкарт*, тинькофф*, виз*, мастеркарт*',
    ),
  ],
  expiry: [
    ...list(
      'run out, ends on, thru, card still valid, still valid, in date, expired on, exp., new date, date on it, expire date, month and year, the date on it, date on the card, date on the front, expires end of',
    ),
    ...list(
      'neues datum, datum auf der karte, ablauf, gültig, noch gültig, bis wann, *ablaufdatum, läuft sie ab, läuft die, läuft bis, geht bis, gilt noch, bis ende, monat und jahr, verfall*, ablaufen',
    ),
    ...list(
      'nueva fecha, fecha nueva, vigente, hasta cuándo, le vale, es válida, válida, caducan, vto, vencimiento de, vence en, se vence, se le vence, mes y año, fecha de la tarjeta, fecha de expiry, caducar, hasta el mes',
    ),
    ...list(
      'дата новая, новая дата, до какого, годен, годна, действительн*, действует, срок карты, срока действия, месяц и год, мм гг, кончается, заканчивается, истека*, просроч*, перевыпу*',
    ),
  ],
  code: [
    ...list(
      'where you sign, three on the back, three numbers, wee number, little three, short number, short one, last few digits, by the signature, next to the signature, near the signature, on the signature, security digits, cvn*, csc, ' +
        "passkey, auth code, approval code, verification number, verification pin, security pin, secure code, unlock key, one time number, one off code, temporary code, temporary pin, robot's code, automated code, voice code, " +
        'pickup code, pick up code, collection code, delivery code, release code, transfer code, magic code, backup code, recovery code, reset code, enrolment code, pairing code, registration code, number we sent, digits we sent, ' +
        'numbers we sent, digits i sent, number in number on screen, ' +
        'authenticator*, google authenticator, push notification, dongle, key fob, card reader, keypad number, the text, got sent a text, sent you a text, just sent you, a text, ' +
        'got that text, text come through, has it come through, come through yet, number matching, device code',
    ),
    ...list(
      'wo man unterschreibt, vier zahlen, ziffer hinten, *tan, mtan, smstan, pushtan, chiptan, fototan, iban tan, *sicherheitscode, *prüfziffer, *prüfzahl, *prüfnummer, *aktivierungsschlüssel, *aktivierungscode, *freischaltcode, *freigabecode, *bestätigungscode, *einmalcode, *einmalkennwort, ' +
        '*zugangscode, *abholcode, *abholnummer, *lieferkode, *registrierungscode, *verifizierungscode, *transaktionsnummer, *sicherheitsnummer, *freischaltschlüssel, sicherheitszahl, drei zahlen, die drei zahlen, dreier zahl, dreier code, kleine nummer, die kurze, ' +
        'hintere nummer, hinten auf der karte, auf der hinterseite, hinterseite, neben der unterschrift, unterschriftsfeld, unterschriftenstreifen, sechsstellig*, vierstellig*, fünfstellig*, achtstellig*, ' +
        'code vom bildschirm, per sms, eine sms, die sms, sms bekommen, sms gekommen, nachricht bekommen, nachricht gekommen, ' +
        'authenticator*, kartenleser, tan generator, tan liste, ceh vau ceh, zeh vau zeh, c vau c, cvc code',
    ),
    ...list(
      'llegado un sms, un sms, el sms, al sms, mensajito, mensaje de texto, el push, un push, ' +
        'código que, coordenada*, tarjeta de coordenadas, clave token, clave de seis, clave temporal, clave provisional, código de entrega, código de recogida, ' +
        'código de retiro, número de verificación, código de barras del, código de vinculación, código temporal, que le llegó, le acabo de enviar, le acabo de mandar, acabamos de enviar, ' +
        'le mandé, le envié, tres de atrás, tres de detrás, donde se firma, cuatro de delante, numeritos de atrás, los de atrás, de atrás, atrás de la tarjeta, numerito de atrás, detrás de la tarjeta, código de la tarjeta, cvv de la, cebeuve, cevevé, al lado de la firma, junto a la firma, código de autorización',
    ),
    ...list(
      'шестизначн*, четырехзначн*, пятизначн*, цифры с обратной, цифры три последние, цвч, цэ вэ вэ, цэ вэ цэ, це ве ве, це ве ка, где подпись, четыре спереди, сзади карты, сзади, у подписи, рядом с подписью, на полоске, цвс, цевеце, си ви си, ' +
        'пуш*, из пуша, смска*, смск*, эсэмэск*, эсэмэс*, из смс, смс пришл*, пришло смс, пришла смс, сообщение пришло, пришло сообщение, что пришло, пришло ли, пришли цифры, цифры пришли, прочитайте цифры, ' +
        'код подтверждения, код выдачи, код получения, код для получения, код курьер*, код доставки, токен, временн* код, временн* пин, код входа, код для входа, код с экрана, одноразов*, подтверждающ* код, подтверди вход, выслали код, ' +
        'код регистрации, код привязки',
    ),
  ],
  pin: [
    ...list(
      'key safe, keysafe, lock box, lockbox, garage code, front door code, building code, entry code, alarm number, disarm code, duress code, screen lock, lock screen, phone lock, four digit pin, telepin, tpin, mpin, atm pin, cash machine number, ' +
        'passnumber, security digits for the account, key box',
    ),
    ...list(
      '*geheimzahl, *pin, *türcode, *torcode, *alarmcode, *zahlencode, *zahlenschloss, zahlenkombination, schlüsselkasten, schlüsselbox, schlüsselsafe, bankomatcode, bankomatkode, garagencode, haustürcode, ' +
        'entsperrmuster, geräte code, sperrmuster, nummernschloss',
    ),
    ...list(
      'caja de seguridad, clave de la puerta, código del portal, código del portón, clave del portón, clave del cajero, nip, n i p, pin del móvil, clave de la caja, clave de cuatro',
    ),
    ...list(
      'ключ для замка, код от двери, код от подъезда, код от ворот, код ворот, кодов* замок, кодов* замк*, пина, пином, пинчик, комбинаци*, код от сигнализации, от квартиры код',
    ),
  ],
  password: [
    ...list(
      'challenge phrase, challenge word, recovery words, recovery phrase, seed phrase, backup words, twelve words, voice phrase, voiceprint phrase, voice password, phone password, safe word, safe words, security phrase, security passphrase, pass code phrase, word on the policy, a word on the, ' +
        'collection word, pick up word, pickup word, school word, family word, stop word, trigger word, cancel word, abort word, alarm word, duress word, wireless key, wi fi password, wifi password, router password, router key, wpa key, network wpa, temporary password, initial password, ' +
        'starter password, default password, login password, sign in password, set it to, changed it to, reset it to, logged in with, log in with, first car, first pet, favourite teacher, favorite teacher, favourite colour, favorite color, favourite film, favorite movie, favourite band, favourite book, favourite place, favorite place, place of birth, town of birth, city you were born, ' +
        "where you were born, town you were born, name of your first, street you grew up, grew up on, childhood nickname, first job, first teacher, first street, first boss, father's middle name, mother's first name, grandmother's name, grandmother's first name, middle name of your, your mother's, " +
        'school you went, name of your school, hint answer, security hint, memorable question, the answer you set, answer you gave, answer to your, codename, code phrase, the secret, secret key, passkey phrase, unlock phrase, verification phrase, verification word, identification word, authentication phrase',
    ),
    ...list(
      'zauberwort, merkwort, prüfwort, notfallwort, rückrufwort, einlasswort, kontrollwort, abrufwort, merksatz, pw, *passwort, *kennwort, *codewort, *losungswort, *lösungswort, *sicherheitswort, *geheimwort, *schlüsselwort, *passphrase, *sicherheitsfrage, *sicherheitsantwort, *geheimfrage, *kontrollfrage, *prüffrage, lösungswort, startpasswort, erstpasswort, initialpasswort, ' +
        'wlan code, wlan passwort, w lan kennwort, w lan passwort, w lan schlüssel, w lan code, wlan kennwort, netzwerkschlüssel, wpa schlüssel, abholwort, abholkennwort, kindergartenwort, stichwort, kennsatz, sprachpasswort, stimmkennwort, wiederherstellungsw*, seed phrase, zwölf wörter, ' +
        'erstes auto, erste schule, erster lehrer, lieblingslehrer*, lieblingsfarbe, lieblingsfilm, lieblingsort, lieblingstier, geburtsort, mädchennamen ihrer, geburtsname der mutter, name ihrer mutter, name der grundschule, ' +
        'antwort auf die, antwort hinterlegt, hinterlegte antwort, vereinbartes wort, geheime wort, geheimantwort, gesetzt auf, zurückgesetzt auf, geändert auf, einmalpasswort',
    ),
    ...list(
      'palabra mágica, palabra que acordamos, frase que, la palabra, palabra que, contraseña del, contraseña de, clave del router, clave de la red, clave que viene, la clave, mi clave, su clave, palabra de recogida, palabra de control, palabra acordada, palabra para, palabra de emergencia, frase de recuperación, palabras de recuperación, palabras semilla, frase semilla, doce palabras, frase de voz, ' +
        'primer coche, primer carro, primer auto, primer profesor, profesor favorito, color favorito, película favorita, lugar favorito, ciudad donde nació, lugar de nacimiento, nombre de su madre, nombre de soltera, apellido materno, nombre de su abuela, nombre de su primera, nombre de tu primera, escuela primaria, primera escuela, ' +
        'calle donde creció, respuesta que puso, respuesta que dejó, palabra pactada, contraseña provisional, contraseña temporal, clave provisional, le he puesto, se la dejo en, queda en, contra seña, password',
    ),
    ...list(
      'волшебн* слов*, слово которое, фразу пароль, фраза пароль, паролем, пароля, паролю, временный пароль, пароль от, пароль для, пароль на, пароль к, вайфай, от вайфая, вай фай, ключ сети, ключ от вайфая, код сети, слово для, слово безопасности, условн* слов*, условн* фраз*, стоп слов*, фразу для, голосов* фраз*, голосов* парол*, ' +
        'сид фраз*, резервн* слов*, двенадцать слов, любим* учител*, любим* цвет*, любим* фильм*, любим* книг*, любим* писател*, любим* мест*, первая машина, первой машины, первый автомобиль, первая учительница, первой учительницы, первая школа, место рождения, город рождения, имя бабушки, имя матери, имя мамы, фамилия матери, ' +
        'фамилия мамы, фамилия бабушки, ответ на вопрос, какой ответ, ваш ответ, вопрос безопасности, кодовое, секретное, логин и пароль, установила вам, поставила вам, поменяла на',
    ),
  ],
  iban: [
    ...list(
      'ibann, eyebahn, i-ban, international account number, eiban, ai ban, *iban, iban number, kontoverbindung, bankverbindung, bankdaten, mandat, lastschrift*, abbuch*, einzug*, abgebucht, domicili*, айбан*, ибана, иик',
    ),
  ],
  account: [
    ...list(
      'acc number, account and sort code, account ending, checking, savings, brokerage account, current acc, sort, roll number, building society, routing, ifsc, ifs code, bsb number, bank details, paying into, pay into, pay it into, transit, institution number, swift, swift code, bic, upi, nuban',
    ),
    ...list(
      'kontonr, *kontonummer, *konto, bankleitzahlen, bic, pc konto, postkonto, postcheckkonto, postscheckkonto, bankclearing, clearingnummer, depot, depotnummer, sparbuch*, bankverbindung, kto, kto nr, depotnr',
    ),
    ...list(
      'cebeú, cbu, c b u, cvu, cuenta clabe, clabe interbancaria, cci, número de cuenta, nro de cuenta, cuenta de ahorros, caja de ahorro, cuenta sueldo, cuenta del banco, papelito del banco, datos bancarios, datos del banco, transferencia a, ccc, oficina y, alias',
    ),
    ...list(
      'расчётн*, рассчётн*, лицевой, лицевого, лицевому, реквизит*, бика, счета, счету, счёту, по какому счету, на какой счет, на какой счёт, корреспондентский, к с, банковские реквизиты, каспи, счет в банке, номер вклада, вклад*',
    ),
  ],
  address: [
    ...list(
      'whereabouts, delivering the, collect from, deliver to, deliver it, delivered to, delivery to, drop off, drop it, post it to, send it to, send it out, ship to, ship it, come out to, come round to, pick you up, pick up from, collect from, where to, where do you live, where are you based, which house, what house, house number, what number house, what road, which street, ' +
        'what street, first line, first line of, postal, residential address, registered address, property, the premises, job site, correspondence address, your postcode, postcode for, zip code for, pin code, what postcode, street name, moving to, moved from, we left, moving from, move to, we are at, number and street, where is it going, where will, your place',
    ),
    ...list(
      'p l z, plz mit ort, plz und ort, die straße, heißt die straße, wie heißt die straße, wohin, zustellen, liefern, geliefert, lieferung an, zusteller, abholen, abholung, wo wohnen, wo wohnst, wo sind sie zuhause, wo soll, wo dürfen wir, meldeadresse, postanschrift, wohnanschrift, *adresse, *anschrift, straße und hausnummer, straße hausnummer, welche straße, hausnummer, welche hausnummer, postleitzahl und ort, plz und ort, zieh* um, umzug*, umgezogen, ' +
        'neue adresse, alte adresse, welche adresse, wohnort, einsatzort, techniker hin, wohin dürfen, wohin soll, schicken wir, rüberschicken',
    ),
    ...list(
      'dirección de recogida, de dónde nos llama, dónde se encuentra, dónde está usted, vive en, vivo en, dónde le dejamos, dónde lo dejamos, dónde se lo, dónde la dejamos, dónde entregamos, adónde, a dónde, dónde vive, dónde queda, dónde le enviamos, domicilio de, dirección de entrega, dirección de envío, calle y número, calle y altura, calle y portal, su calle, qué calle, qué portal, qué piso, qué altura, manzana y lote, manzana, colonia, fraccionamiento, ' +
        'su portal, el portal, código postal y, entregar en, recoger en, recogemos en, mudé, mudamos, me mudo, barrio, ciudad y, queda en',
    ),
    ...list(
      'живете по, по какому адресу, прописка, прописан по, живу на, живу в, куда привезти, куда везти, куда доставить, куда доставлять, куда отправить, куда отправлять, куда ехать, куда подъехать, куда выслать, где вы живете, где живете, где находитесь, дом какой, какой дом, из какого дома, номер дома, улиц* и дом, улица какая, какая улица, город улица, индекс и адрес, почтовый адрес, адрес доставки, адрес прописки, по адресу, адресочек, ' +
        'привезем, доставим, замерщик*, мастер приедет, мастера, подъезд какой, какой подъезд, зарегистрирован*, прописаны, проживаете, переехал*, дачный, снт',
    ),
  ],
  id: [
    ...list(
      'pan and, share pan, your pan, aadhaar, aadhar, adhar, pan number, pan card, pps, pps number, ppsn, tfn, tax file number, medicare number, medicare card, social insurance, nhs, driving license, dl number, voter id, ration card, state id, military id, brp, residence permit, permit number, visa grant, id number, identity number, document number, ' +
        'number on your passport, on the licence, on your license, on your id, birth certificate, national insurance',
    ),
    ...list(
      'krankenversichertennummer, versicherten nummer, versicherungs nummer, svnr, sv nummer, *versicherungsnummer, *ausweisnummer, *passnummer, *steuernummer, steuer nr, *identifikationsnummer, ahv, ahv nummer, ahv nr, a h v, e card, ecard, *führerschein, *führerscheinnummer, *ausweis, *reisepass, *kassennummer, *aufenthaltstitel, aufenthaltserlaubnis, dokumentennummer, seriennummer vom ausweis, ' +
        'identitätskarte, id karte, rentennummer, rentenversicherungsnr, sozialnummer, pass, perso nummer, geburtsurkunde',
    ),
    ...list(
      'documento de extranjería, extranjería, documento, documento de ella, documento del, su documento, el documento, mi documento, número de documento, nro de documento, cédula de ciudadanía, la cédula, la curp, el rfc, nss, número de seguro, credencial, credencial de elector, pasaporte de, número del pasaporte, el carnet, carnet, nuss, afiliación, seguro social, tarjeta de carné, permiso de residencia, identidad, ' +
        'el nif, el dni, el nie, cuil, el cuil, el cuit',
    ),
    ...list(
      'иин, ииэн, жсн, удостоверени*, документ*, номер удостоверения, серия и номер, серию, серии, серию и номер, загран, паспортн*, енп, номер полиса, снилса, инн физлица, правах, военник*, водительск* права, внж, рвп, номер документа',
    ),
  ],
  phone: [
    ...list(
      'daytime, evening, daytime number, direct line, ring back, call back on, reach you on, ring you on, get you on, get hold of you, get a hold of, contact you on, number for you, number for the, digits to reach, best contact, whats app, telegram, signal, mob, text me on, leave a number, give you a number, number is it, caller id, called from, calling from, dial back, phone up, ringing from, driver to ring',
    ),
    ...list(
      '*telefonnummer, *handynummer, *rufnummer, *mobilnummer, *festnetznummer, nummer für rückfragen, durchwahl, die durchwahl, direktwahl, für rückfragen, unter welcher, erreichen wir, erreiche ich, erreicht man, anklingeln, durchklingeln, anruf*, durchrufen, klingeln sie, natel, natelnummer, zurückruf*, telefonisch',
    ),
    ...list(
      'teléfono de, celu, el celu, cel, mi cel, whatsapp, wasap, guasap, avisaremos al, avisamos al, le avisamos, avisarle, le marco, márqueme, marcarle, comunicarme, comunicarnos, localizarle, localizarlo, contactar, contactarle, llamar, llame al, llamen al, llamemos, llamo al, número para, un número, otro número, apunte el número, línea fija, tel',
    ),
    ...list(
      'телефон для, номерочек, ватсап, вотсап, телеграм, вайбер, связаться, для связи, набрать, наберу, наберите, позвонить, отзвон*, звякн*, контакт, контакты, любой контакт, номер водител*, сотка, мобила, городск*',
    ),
  ],
  birth: [
    ...list(
      'how old, old are you, when were you born, age of, birth dates, dates of birth, bday, her birthday, his birthday, year you were born, be born, little one, d.o.b, day month year, month and day, full date, what year',
    ),
    ...list(
      '*geburtsdatum, geburtsdaten, *geburtstag, wie alt, wann geboren, wann sind sie geboren, geboren sind, auf die welt gekommen, welcher jahrgang, geburtstags, tag monat jahr',
    ),
    ...list(
      'cuándo nació, fecha completa, su fecha, qué edad, cuántos años, qué día nació, día y mes, día mes y año, nacieron, nacer, cumple años, cumpleaños de, de qué año, qué año',
    ),
    ...list(
      'когда родил*, какого года, с какого года, полных лет, сколько лет, дата рожден*, число месяц год, день и месяц, дня рожден*, дни рождения, месяц рождения, именинн*, какой месяц, год и месяц, дату',
    ),
  ],
  email: [
    ...list(
      'gmail, e-mail, email addy, inbox, mail to, mail it, mailbox, before the at, after the at, mailaddy, *mailadresse, emailadresse, e-mail-adresse, mailadressen, mail schicken, per mail, email de, el mail, su mail, tu mail, mailecito, emilio, correíto, por correo, por email, мыло, мыльце, почтовый ящик, ящик, электронный адрес, на почту, имэйл*, эмейл*, е мейл*, до собаки, после собаки, куда письмо, письмо',
    ),
  ],
  name: [
    ...list(
      "whose name, what name, name's, under what name, under which name, in whose, made out to, make it out to, addressed to, who should, who's calling, who am i talking, speaking to, talking to, caller's name, passenger, passengers, guest name, guests, cardholder, card holder, account holder, policyholder, holder's name, policy holder, patient, patient's name, recipient, surname, last name, first name, forename, " +
        "middle name, given name, family name, maiden, full names, name as it, name on the, names of, who is it for, who's it for, who will be, who's picking, who is picking, collecting, emergency contact, next of kin, beneficiary, contact person, spell your name, spell the name, spell that, name for the booking, name for the, book it under, who do i put, who shall i say, and you are, who's this, what do i call you, what should i call you, how do you spell, how's that spelt, how is that spelled, child's name, your husband, your wife, your partner",
    ),
    ...list(
      'wie heißt, wie heißen, wie war ihr name, auf welchen namen, auf wen, auf wessen namen, unter welchem namen, auf den namen, wer ist am apparat, wer ist dran, wer ist da, mit wem, wer holt, wer kommt, wer fährt, wer reist, wer ist der, für wen, an wen, name und, name bitte, der name, den namen, ihr familienname, familienname, rufname, vor und zuname, zuname, zunamen, ' +
        '*inhaber, *inhaberin, empfänger, empfängerin, patient, patientin, versicherungsnehmer*, kontoinhaber*, karteninhaber*, ansprechpartner*, mitreisende*, gast, gäste, fahrgast, ihr mann, ihre frau, ehepartner, name des kindes, name ihres, name vom, buchstabieren sie, wie schreibt man, wie schreibt sich, wie wird das geschrieben, wie schreiben sie, wer sind sie',
    ),
    ...list(
      'con quién, quién habla, quién llama, de parte de quién, a nombre de quién, a qué nombre, nombre del, nombre de la, su nombre, nombre completo, nombre y apellido, apellidos, apellido, primer apellido, segundo apellido, cómo se llama, cómo te llamas, cómo es su nombre, su gracia, quién es, quién viaja, quién recoge, quién la recoge, quién lo recoge, quién retira, quién recibe, para quién, titular, beneficiari*, pasajero*, ' +
        'paciente*, huésped*, destinatario, destinataria, acompañante, persona de contacto, nombre tal cual, nombres, cómo se escribe, se escribe, me deletrea, deletréeme, con be o con uve, a quién, quién firma, quién viene, el nombre',
    ),
    ...list(
      'как вас, как зовут, как звать, как обращаться, ваше фио, фио, имя и отчество, имя отчество, имя фамили*, фамили*, фамилию, имя, на чье имя, на чьё имя, на кого, на какое имя, на какую фамилию, кто говорит, с кем говорю, с кем я говорю, кто звонит, кто заберет, кто будет, кто получатель, кому, для кого, получател*, владел*, держател*, пациент*, пассажир*, гост*, контактное лицо, как записать, ' +
        'как вас записать, как пишется, по буквам, имя ребенка, как величать, вас записать, ваше имя, абонент*, ребенка зовут, супруг*, повторите фамили*',
    ),
  ],
  lock: list(
    'keypad, combination, combo, gate, the gates, intercom, door entry, the alarm, locker, safe, the safe, padlock, lock, garage, front door, back door, door, safe*, tresor*, spind, garage, garagentor, haustür, tür, eingangstür, tor, schloss, kombination, ' +
      'caja, alarma, portón, portero, garaje, cochera, cerradura, casillero, taquilla, teclado, combinación, candado, puerta, portal, замок, замка, замку, ворот*, калитк*, шлагбаум*, гараж*, шкафчик*, двер*, подъезд*, домофон*, сейф*, сигнализац*',
  ),
  shown: list(
    'in the app, on your screen, on the screen, on my screen, screen, what it says, it says, what does it say, does it say, notification, prompt, pop up, the text, a text, message, bildschirm, display, handy, in der app, die app, was steht da, was steht dort, was steht drin, was zeigt, zeigt, ' +
      'was haben sie bekommen, brief, la aplicación, en la app, la app, en pantalla, la pantalla, el número que sale, qué le sale, me sale, le sale, qué pone, qué dice, pone, le llegó, te llegó, le llega, ha llegado, mensaje, notificación, ' +
      'six digits, 6 digits, four digits, five digits, eight digits, six figures, six numbers, the digits, the numbers, seis cifras, cuatro cifras, seis dígitos, cuatro dígitos, seis números, cuatro números, cinco cifras, ocho cifras, los dígitos, los números, ' +
      'sechs ziffern, sechs stellen, sechs zahlen, vier ziffern, die ziffern, die zahlen, die zahl, шесть цифр, четыре цифры, пять цифр, восемь цифр, цифры, число, экран*, в приложении, что пришло, пришло, пришли, сообщени*, уведомлени*, высветил*, token, токен',
  ),
  other: [
    ...list(
      'article number, model number, build, release, port, server, subnet, ip range, licence key, license key, product key, tracking, consignment, docket, job, work order, purchase order, po number, quote number, quotation, estimate, batch, lot number, isbn, part, ean, upc, asin, meter reading, reading, the reading, serial no, vin, reg, rego, plate, registration, dose, dosage, tablets, mg, tv licence, season ticket, membership, points balance, score, code for the sale, sale code, class code, course code, bus, train, flight number, seat, row, platform, room number, table, floor, page, chapter, line, form, section, clause, paragraph, unit price, square, square metres, megabytes, watts, volts, kilowatt, kilowatts, thermostat, temperature, channel, frequency, size, quantity, dpi, resolution, horsepower, mileage',
    ),
    ...list(
      '*bestellnummer, *auftragsnummer, *kundennummer, *vertragsnummer, *rechnungsnummer, *artikelnummer, *seriennummer, *zählernummer, *vorgangsnummer, *sendungsnummer, *buchungsnummer, *ticketnummer, *teilenummer, *fallnummer, *schadennummer, *policennummer, *mitgliedsnummer, *personalnummer, *gerätenummer, *modellnummer, *zählerstand, *gutscheincode, *rabattcode, *fehlercode, *chargennummer, *matrikelnummer, *lieferscheinnummer, *angebotsnummer, *materialnummer, pzn, bestell nr, artikel nr, kd nr, rechnungs nr, auftrags nr, vorgang, schaden, zählerstand, ablesung, kilowattstunden, port, server, konten, paragraf, absatz, zeile, seite, zimmer, etage, baujahr, hubraum, farbcode, paket, packung, charge, größe, quadratmeter, wohnfläche, watt, volt, grad, lizenzschlüssel',
    ),
    ...list(
      'código nacional, nacional, medicamento, lote, número de serie, nro de serie, número de guía, guía, albarán, remito, presupuesto, orden, orden de, número de orden, folio, ticket, radicado, siniestro, póliza, número de póliza, patente, placa, dominio, chasis, medidor, contador, lectura, número de abonado, abonado, número de socio, socio, boleto, pasaje, asiento, fila, aula, número de expediente, versión, puerto, servidor, talla, metros cuadrados, código de producto, código del producto, cantidad, dosis, receta, bono, vale, parcela, partida, referencia catastral',
    ),
    ...list(
      'штрихкод*, серийн*, номер серии, парти*, квитанци*, посылк*, трек номер, трекинг, показани*, счетчик*, показания, ндс, номер обращения, номер заявления, талон*, пропуск*, табельн*, госномер*, номер машины, кузов*, кадастров*, участок номер, кабинет*, аудитори*, порт, сервер*, размер*, метраж, мощност*, литраж, доза, дозировк*, упаковк*, тариф*, лот, кузова, этаж, ряд, место, вагон, поезд*, автобус*, страниц*, пункт*, статья, параграф*',
    ),
  ],
};

function list(phrases: string): readonly string[] {
  return phrases.split(', ');
}
