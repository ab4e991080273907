export const COMPANY_LEADS = [
  'thank you for calling/contacting/choosing/phoning/ringing',
  'thanks for calling/contacting/choosing/phoning/ringing',
  'welcome to',
  'you have reached',
  'you are through to',
  'you have come through to',
  'calling from',
  'calling on behalf of',
  'this is the',
];

/** Trades and departments: "billing", "Lakeside Clinic". Only looked for where a name is expected. */
export const COMPANY_WORDS: ReadonlySet<string> = new Set(
  `bank banking insurance assurance energy power electric gas water utilities utility telecom mobile wireless broadband
  internet cable communications clinic hospital health healthcare medical surgery dental dentist pharmacy practice care
  airlines airways air travel travels tours hotel hotels resort rentals rental cars motors auto garage software systems
  solutions technologies tech hosting cloud store stores shop market supermarket foods books furniture electronics
  logistics delivery courier express post parcel freight council office department desk support service services
  helpdesk hotline helpline billing accounts sales reservations bookings claims returns complaints reception switchboard
  group company limited inc union credit finance financial loans mortgages lending capital university college school
  library restaurant pizza gym fitness club studio agency properties estates lettings housing plumbing heating cleaning
  repairs team center centre`.split(/\s+/u),
);

/** Words that do not belong to a name: a stretch of a name ends before them. */
export const NOT_NAMES: ReadonlySet<string> = new Set(
  `a an the i you we he she it they my your our his her their this that these those there here what who which when
  where why how is am are was were be been do does did have has had can could may might will would should shall must
  and or but if so because not no yes okay alright right well just really very please thank thanks hello hi hey good
  morning afternoon evening day today tonight now sorry sir madam maam miss caller everyone again back for to of in on at
  with by from about as help helping assist speaking calling call name going having looking trying need want like know
  see get got let put hold one moment sure great fine oh yeah us me them something anything nothing problem wrong
  account number only still`.split(/\s+/u),
);

/** Words that may stand before a company's name when the telephone is answered. */
export const ANSWERING_WORDS: ReadonlySet<string> = new Set(
  'good morning afternoon evening day hello hi hey welcome to this is the here at it you have reached are through our'.split(
    ' ',
  ),
);
