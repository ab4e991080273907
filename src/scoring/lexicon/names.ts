/** Common given names: "this is Mary" names a person, "this is Harper Valley" a company. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `aaliyah aaron abbie abby abdul abigail adam adele adrian agnes aidan aiden ailsa aine aisha aisling alan alana
  albert alec alex alexander alexandra alexis alfred ali alice alicia alison alistair allison alma alyssa amanda
  amara amber amelia amir amit amy ana anders andre andrea andrew andy aneesha angela angelica angus anika anil anita
  anjali ann anna annabel anne annette annie anthony antonio anya aoife april archie aria ariana arjun arlene arthur
  arun ashley ashok audrey austin ava ayesha barbara bea beatrice becky bella ben benjamin bernadette bernard
  bess beth betty beverley beverly bill billy blake bob bobby bonnie brad bradley brady brandon brenda brendan brian
  brianna bridget bridie brittany bronwyn bruce bryan byron caitlin cal callie callum cameron camila camille carey
  carl carla carlos carmen carol caroline carolyn carrie cassie cathal catherine cathy cecilia cedric celia chad
  chandra charles charlie charlotte charmaine chelsea cheryl chetan chloe chris christian christina christine
  christopher ciara cindy claire clara claudia clive cody colette colin colleen connor conor cora corey corinne
  courtney craig crystal curtis cynthia daisy dale damian damien dan dana daniel daniela danielle danny daphne darcy
  darius darrell darren dave david dawn dean deb debbie deborah debra declan dee deepak deirdre delia della denise
  dennis derek desiree devon diana diane diego dina dion dominic dominique don donal donald donna donovan
  dora doris dorothy doug douglas duncan dwayne dylan eamon ebony ed eddie edgar edith edward edwin eileen
  elaine eleanor elena eli elijah elise elizabeth ella ellen ellie eloise elsa elsie emily emma emmanuel enid eric
  erica erik erin ernest esme estelle esther ethan eugene eunice eva evan evelyn evie faith farah farhan farida
  fatima felix fergus finn fiona florence floyd fran frances francis frank frankie fred freddie freya gabriel
  gail gareth gary gavin gavyn gayle gemma geoff george georgia gerald geraldine gethin giles gina glen glenda
  glenn glenys gloria gordon grace graham grant greg gregory greta guy gwen hamish hannah hari harold harpreet
  harriet harry harvey hassan hattie hayley hazel heather hector heidi helen hema henry hilary holly howard hugh hugo
  ian ibrahim ida imogen imran ines ingrid ira irene iris isaac isabel isabella isha isla isobel ivan ivor ivy jace
  jack jackie jackson jacob jacqueline jade jaden jake jamal james jamie jan jane janelle janet janice janine jasmine
  jason jasper jatin javier jay jayne jean jed jeff jeffrey jemma jen jenna jennifer jenny jeremy jerome jerry jesse
  jessica jill jim jimmy joan joanna joanne jodi jodie joe joel john johnny jon jonathan joni jordan jorge jose
  joseph josephine josh joshua josie joy joyce juan jude judith judy julia julian julie juliet june justin kaitlyn
  kamal kara karen karim karl kate kath katherine kathie kathleen kathryn kathy katie kavita kavya kayla kaylee
  keeley keira keith kelly kelvin ken kendra kenji kenneth kerry kevin khalid kim kimberly kirk kirsten kirsty
  krishna krystal kumar kwame kyle lana lara larry latoya laura lauren laurence lawrence leah leanne lee leela leila
  lena lenny leo leon leonard leroy leslie lewis lexi liam lila lilian lily linda lindsay lisa liz lloyd logan lois
  lorna lorraine lottie louie louis louise lowri luanne lucas lucia lucinda lucy luella luis luke lydia lyle lynn
  mabel mack maddie madison maeve maggie mahesh mairi malcolm malik mandy manish manoj manuel mara marcin marco
  marcus margaret margot maria marianne marie marilyn marina mario marion marisol marjorie mark marlene marlon marsha
  martha martin marvin mary mason matt matthew mattie maude maureen mavis max maxine maya meera megan mei melanie
  melissa melvin meredith mia michael michelle mick miguel mike mila miles millie mina minnie mitch
  mitchell mohamed mohammed mohan moira molly mona monica monique morgan moses muhammad myra nadia nancy nanette
  naomi natalie natasha nate nathan neha neil nell nellie niamh nicholas nick nicki nico nicola nicole nigel nikhil
  nikki nina nisha noah noel nola nora noreen norma norman olga oliver olivia ollie olly omar orla oscar owen pablo
  padma paige pam pamela parveen patricia patrick patti paul paula pauline pedro peggy penny pete peter petra
  phil philip phillip phoebe phyllis pierre pippa polly pradeep prakash prisha priya quentin quinn rachel
  rafael raheem rahul raj rajesh ralph ramesh ramon randall randy raquel rashid ravi ray raymond rebecca reggie
  regina rekha renata renee reuben rhiannon rhona rhonda rhys ricardo richard rick ricky rita rob robert roberta
  robin rodney roger rohan rohit roland rolf ron ronald ronan rory rosa rosalind rose rosemary roshni rosie ross
  rowan rowena roy rufus russell ruth ryan sadie saeed sahil sally salma sam samantha sameer samir samuel
  sandeep sandra sangeeta sanjay saoirse sara sarah sasha saskia scott seamus sean sebastian serena shane shania
  shannon sharon shashi shaun shauna shawn shawna sheena sheila shelby shelley sherry shirley shreya sian sid sienna
  simon simone sinead siobhan sofia sonia sonya sophia sophie stacey stacy stan stanley stefan stella stephanie
  stephen steve steven stewart stuart sue suki sunil sunita suresh susan susannah sushma suzanne suzie sylvia sylvie
  tabitha tahir tamara tamsin tanya tara tariq tasha tatiana ted teresa terry tessa thelma theo theodora theresa
  thomas tia tiffany tim timothy tina toby todd tom tommy toni tony tracey tracy travis trent trevor trina trish
  trisha trudy tyler tyrone uma usha valerie vanessa vanya varun vera veronica vicki vicky victor victoria vijay
  vikki vikram vincent violet virginia vivian vivienne wallace walter wanda warren wayne wei wendy wesley whitney
  wilbur wilfred will william winifred winston wyatt xavier yasmin yolanda yusuf yvette yvonne zach zachary zainab
  zane zara zelda zoe`.split(/\s+/u),
);
