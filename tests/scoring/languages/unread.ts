/** The same call in languages that the rules do not read: courteous, resolved, with all that the standard rubric asks for. */
export const UNREAD_CALLS = {
  fr: `
A: Bonjour, assurances Lumière, Camille à l'appareil, que puis-je faire pour vous ?
C: Bonjour, je voudrais changer l'adresse de mon contrat, j'ai déménagé la semaine dernière.
A: Bien sûr. Pouvez-vous me donner votre numéro de contrat et votre nouvelle adresse ?
C: Oui, c'est le quatre cent douze, et j'habite maintenant au quinze rue des Tilleuls à Lyon.
A: Je répète, quinze rue des Tilleuls à Lyon, c'est bien cela ?
C: Oui, c'est exact.
A: Un instant, s'il vous plaît. Voilà, votre adresse est modifiée et vous recevrez une confirmation demain.
C: Très bien, merci beaucoup.
A: Est-ce que je peux faire autre chose pour vous ?
C: Non, c'est tout, merci.
A: Merci de votre appel, bonne journée et au revoir.
C: Au revoir.`,
  it: `
A: Buongiorno, assicurazioni Lumière, sono Giulia, come posso aiutarla?
C: Buongiorno, vorrei cambiare l'indirizzo del mio contratto, ho traslocato la settimana scorsa.
A: Certo. Può darmi il numero del contratto e il nuovo indirizzo?
C: Sì, è il quattrocentododici, e adesso abito in via dei Tigli quindici a Torino.
A: Ripeto, via dei Tigli quindici a Torino, giusto?
C: Sì, esatto.
A: Un attimo, per favore. Ecco, il suo indirizzo è stato modificato e domani riceverà una conferma.
C: Benissimo, grazie mille.
A: Posso fare altro per lei?
C: No, è tutto, grazie.
A: Grazie della chiamata, buona giornata e arrivederci.
C: Arrivederci.`,
  pt: `
A: Bom dia, seguros Luz, fala a Marta, em que posso ajudar?
C: Bom dia, queria mudar a morada do meu contrato, mudei de casa na semana passada.
A: Com certeza. Pode dizer-me o número do contrato e a nova morada?
C: Sim, é o quatrocentos e doze, e agora moro na rua das Tílias quinze em Braga.
A: Repito, rua das Tílias quinze em Braga, está certo?
C: Sim, é isso mesmo.
A: Um momento, por favor. Pronto, a sua morada já foi alterada e amanhã recebe uma confirmação.
C: Muito bem, obrigado.
A: Posso ajudar em mais alguma coisa?
C: Não, é tudo, obrigado.
A: Obrigada por ter ligado, tenha um bom dia e até à próxima.
C: Adeus.`,
  nl: `
A: Goedemorgen, verzekeringen Licht, u spreekt met Femke, waarmee kan ik u helpen?
C: Goedemorgen, ik wil graag het adres van mijn polis wijzigen, ik ben vorige week verhuisd.
A: Natuurlijk. Kunt u mij het polisnummer en het nieuwe adres geven?
C: Ja, dat is vierhonderdtwaalf, en ik woon nu in de Lindestraat vijftien in Utrecht.
A: Ik herhaal, Lindestraat vijftien in Utrecht, klopt dat?
C: Ja, dat klopt.
A: Een ogenblik alstublieft. Zo, uw adres is gewijzigd en u krijgt morgen een bevestiging.
C: Heel fijn, dank u wel.
A: Kan ik nog iets anders voor u doen?
C: Nee, dat was alles, bedankt.
A: Bedankt voor het bellen, nog een fijne dag en tot ziens.
C: Tot ziens.`,
  pl: `
A: Dzień dobry, ubezpieczenia Lumen, mówi Kasia, w czym mogę pomóc?
C: Dzień dobry, chciałbym zmienić adres w umowie, przeprowadziłem się w zeszłym tygodniu.
A: Oczywiście. Czy może pan podać numer umowy i nowy adres?
C: Tak, to czterysta dwanaście, a teraz mieszkam przy ulicy Lipowej piętnaście w Krakowie.
A: Powtórzę, ulica Lipowa piętnaście w Krakowie, zgadza się?
C: Tak, zgadza się.
A: Chwileczkę, proszę. Już, adres został zmieniony, a jutro dostanie pan potwierdzenie.
C: Świetnie, bardzo dziękuję.
A: Czy mogę jeszcze w czymś pomóc?
C: Nie, to wszystko, dziękuję.
A: Dziękuję za telefon, miłego dnia i do widzenia.
C: Do widzenia.`,
  uk: `
A: Доброго ранку, страхова компанія Світло, мене звати Оксана, чим можу допомогти?
C: Доброго ранку, я хотів би змінити адресу в договорі, ми переїхали минулого тижня.
A: Звичайно. Скажіть, будь ласка, номер договору і нову адресу.
C: Так, це чотириста дванадцять, а зараз я живу на вулиці Липовій, п'ятнадцять, у Львові.
A: Повторюю, вулиця Липова, п'ятнадцять, у Львові, правильно?
C: Так, усе правильно.
A: Хвилиночку, будь ласка. Готово, адресу змінено, завтра ви отримаєте підтвердження.
C: Дуже добре, щиро дякую.
A: Чи можу я ще чимось допомогти?
C: Ні, це все, дякую.
A: Дякую за дзвінок, гарного дня і до побачення.
C: До побачення.`,
  tr: `
A: Günaydın, Işık Sigorta, ben Elif, size nasıl yardımcı olabilirim?
C: Günaydın, sözleşmemdeki adresi değiştirmek istiyorum, geçen hafta taşındım.
A: Tabii ki. Sözleşme numaranızı ve yeni adresinizi alabilir miyim?
C: Evet, dört yüz on iki, şimdi Ankara'da Ihlamur Sokak on beşte oturuyorum.
A: Tekrar ediyorum, Ankara, Ihlamur Sokak on beş, doğru mu?
C: Evet, doğru.
A: Bir dakika lütfen. Tamam, adresiniz değiştirildi, yarın size bir onay gelecek.
C: Çok güzel, teşekkür ederim.
A: Başka bir konuda yardımcı olabilir miyim?
C: Hayır, hepsi bu kadar, sağ olun.
A: Aradığınız için teşekkürler, iyi günler, hoşça kalın.
C: Hoşça kalın.`,
} as const;
