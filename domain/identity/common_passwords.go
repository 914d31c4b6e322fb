package identity

import "strings"

// commonPasswords are the thousand most frequent passwords of at least MinPassword characters, in lower case: those that
// guessers try first. Their source is the list of frequent passwords of zxcvbn (https://github.com/dropbox/zxcvbn, MIT
// licence, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.), in the order of their frequency.
var commonPasswords = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(commonPasswordList) {
		set[word] = true
	}
	return set
}()

//nolint:misspell // what people type is not always a word
const commonPasswordList = `
password 12345678 123456789 baseball football qwertyuiop 1234567890 superman 1qaz2wsx jennifer trustno1 sunshine iloveyou computer
michelle starwars princess 11111111 corvette 1234qwer internet samantha q1w2e3r4t5 maverick whatever mercedes steelers qwer1234
hardcore q1w2e3r4 midnight bigdaddy victoria marlboro password1 1q2w3e4r cocacola jordan23 asdfasdf danielle 12344321 jonathan
liverpoo qwerty123 passw0rd abcd1234 slipknot scorpion startrek asdfghjkl redskins qazwsxedc liverpool nicholas butthead dolphins
qwertyui shithead metallic mountain benjamin elephant rush2112 1q2w3e4r5t creative garfield bullshit asdfghjk 1qazxsw2 december
airborne brooklyn godzilla 4815162342 williams darkness blink182 platinum 01012011 11223344 lifehack 12qwaszx snowball nintendo
november pakistan redwings explorer guinness lasvegas 789456123 christin asdf1234 babygirl michigan carolina alexande dickhead
minecraft metallica kristina kimberly snickers paradise caroline 147258369 lacrosse bollocks poohbear qweasdzxc einstein drowssap
courtney spitfire patricia maryjane champion svetlana anderson westside security zaq12wsx alexander 123456789a 1232323q scarface
qwerty12 marshall veronica stargate 12345qwert semperfi brittany scotland cherokee simpsons michael1 vladimir franklin passport
infinity bulldogs 1234554321 budlight usuckballz1 softball fktrcfylh kawasaki wildcats logitech swordfis alexandr motorola
patriots colorado juventus freeuser warcraft wolverin elizabet valentin password123 mitchell spiderma hello123 ncc1701d virginia
pearljam 123qweasd predator charlie1 panthers peekaboo rolltide american cardinal chevelle fyfcnfcbz loverboy 123654789 changeme
electric darkside wolfpack hercules lawrence letmein1 741852963 spiderman blizzard 123456789q cheyenne cjkysirj 147852369
basketball sterling pussycat a1b2c3d4 airplane freepass billybob chocolat stingray firebird zeppelin business tarheels greenday
01011980 engineer hellfire serenity fireball darkstar 1029384756 mustang1 remember pavilion 01012000 bobafett dbrnjhbz harrison
welcome1 swimming defender precious icecream swordfish presario rockstar airforce thailand bluebird goldfish wrangler cadillac
longhorn qazwsx123 microsoft christia 123qweasdzxc assassin atlantis lonewolf software srinivas angelina leonardo valentina
veronika babydoll butterfly wordpass devildog soso123aljg mistress freedom1 montreal wolfgang basketba hotstuff 31415926 birthday
stephani jessica1 shamrock fuckyou2 savannah kathleen deftones goldberg renegade cristina hamilton blahblah enterpri 1234abcd
babylon5 sweetpea trfnthbyf yankees1 bigboobs aardvark butterfl marathon cavalier manchester napoleon buckeyes 01011990 diamonds
1qaz2wsx3edc highland elizabeth chandler drpepper campbell pornstar 12345678910 sherlock thuglife morpheus wetpussy consumer
adgjmptw barcelona overlord isabella sundance isabelle ultimate ncc1701e matthew1 geronimo 123qwe123 aleksandr portugal superfly
q1w2e3r4t5y6 florence wrinkle1 seminole alejandr 11235813 concrete margaret access14 letmein2 christop trombone rhbcnbyf qazxswedc
pleasure christian cdtnkfyf stallion kingkong mongoose personal bluemoon a1234567 fuckyou1 immortal 123454321 anthony1 dietcoke
giovanni morrison hollywoo 14789632 clifford fernando bonehead ghbdtnbr charlott hongkong william1 ilovesex 1123581321 sebastia
werewolf lollipop eternity super123 cooldude tottenha anything stocking columbia robinson makaveli satan666 verbatim standard
blackcat raistlin qwerty12345 punkrock infantry 01012010 waterloo musicman seinfeld megadeth gn56gn56 skywalke squirrel wolverine
stardust qazwsxed twilight vanhalen intrepid 1234567a punisher showtime ekaterina 111222333 skittles hannibal thunder1
1q2w3e4r5t6y chelsea1 panasonic sandiego portland penelope blackdog californ playtime 1a2b3c4d christine gangster warriors
chargers dingdong mushroom crusader dkflbvbh anastasia stranger guardian slapshot septembe 147896325 angelica scarlett rammstein
123321123 munchkin kittycat santiago 1passwor barcelon coltrane goodluck starcraft blackman katerina shaney14 fuck_inside discover
spanking lonestar meridian heather1 stonecol 192837465 lowrider 25802580 richard1 alexandra beautiful zaq1xsw2 tacobell halflife
123698745 catalina keyboard kangaroo socrates thompson formula1 qwerasdf national mailcreated5240 asshole1 fuckface lorraine
vacation penguins 12369874 ragnarok colombia sebastian dodgeram mustangs sithlord scoobydo oblivion titleist magnolia zxcv1234
director richmond bigballs blueeyes mersedes 12312312 springer patrick1 cowboys1 nuttertools martinez 1122334455 gateway1 imperial
grateful peterpan kingston pa55word freckles margarita aspirine mariners deadhead research rootbeer children stephanie frederic
scooter1 11112222 plymouth creampie justdoit 1234567q lightnin caliente goodtime thankyou raiders1 brucelee redalert aquarius
catherin porkchop sapphire shopping qwert123 a1s2d3f4 qazwsxedcrfv fletcher blackjac hastings chevrole 01012001 amsterdam spectrum
diamond1 123456qwerty atlantic beatrice labrador southern syracuse front242 rosemary candyman commando clitoris pineappl lesbians
8j4ye3uz monopoly romashka 123456aa gangbang spartans snuggles charlotte infiniti 1234567890q cosworth jeremiah phoenix1 qawsedrf
doberman brandon1 emmanuel webmaster porsche9 beefcake godsmack viktoria starbuck valhalla starfish clarence achilles ncc1701a
arsenal1 sailboat jackson1 terminator phillies kentucky pa55w0rd swingers frontier butthole doughboy september nebraska qwertyuio
maryland agent007 oklahoma pinkfloy qwerty123456 dannyboy luckydog whocares nathalie vfrcbvrf ihateyou vkontakte mandingo
california dilligaf bunghole golfball technics 01011991 15426378 aberdeen enterprise stripper hurrican rfnthbyf dthjybrf handsome
excalibu brothers melissa1 lancelot keystone passwort flamingo australia pokemon1 designer kamikaze somethin warhammer bradford
deeznuts apollo13 macdaddy rangers1 manchest michaela meatball columbus eatpussy truelove sentinel universe 123456789z jamesbon
sexygirl billyboy microsof microlab military gordon24 function pantyhos 01011985 lifetime theodore 73501505 passwor1 azsxdcfv
charlton 01011970 bigmoney fordf150 superstar terminal saratoga wildfire vladislav gretchen hollywood greenbay trinidad poiuytrewq
chicken1 321654987 01011981 maradona chester1 rjirfrgbde rightnow jasmine1 hyperion treasure meatloaf 01011986 catherine pass1234
japanese anaconda christopher woofwoof poontang richards lionking happy123 albatros kenworth dinosaur happyday holyshit turkey50
chocolate ericsson chickens zxcasdqwe fktrcfylhf polniypizdec0211 crazybab sherwood positive madeline anhyeuem hardrock skywalker
february samsung1 applepie abc12345 gandalf1 rockhard hellyeah davidson skorpion hedgehog australi america1 1qa2ws3ed 13243546
yosemite karolina starship salvador greatone 0.0.0.000 football1 freeporn roadkill killbill 78945612 francois cinnamon backdoor
packers1 rastaman sojdlg123aljg robotech alliance marianne 18436572 mechanic pingpong operator rasputin 963852741 amsterda
jeanette majestic wrestlin gotohell kingfish passwords railroad zxcvbnm1 lineage2 charles1 phillips nwo4life peterson thursday
a123456789 chemical fuckthis kcj9wx5n umbrella r2d2c3po snoopdog splinter underdog broadway megapass kristine p0015123 shannon1
bullseye blackhaw jamesbond tunafish dkflbckfd 123789456 sinclair translator giuseppe saturday gfhjkm123 supersta magicman
meredith caligula 12131415 dfktynbyf deepthroat tazmania crawford tommyboy marino13 vfhufhbnf brighton christina mamapapa budweise
getmoney qazwsx12 chainsaw eastside qwerty1234 01011989 undertaker downtown snowboar moneyman chrisbln viewsonic penthous canadian
flounder whitesox thanatos panasoni sneakers chicago1 ghjcnjnfr titanium madison1 solution intruder gargoyle poseidon newcastl
johannes buckshot sunnyday 01011988 goldstar ferrari1 boomboom test1234 florida1 superman1 multiplelo motherlode westwood federico
apple123 sunflowe assholes babyblue 123qwerty starfire callaway paintbal knickers lokomotiv winston1 rjycnfynby thirteen hotpussy
philippe panther1 avalanch newyork1 01011984 idontknow original vfvfgfgf tomorrow 01011987 zerocool godfather 1x2zkg8w zxasqw12
francesc christie paintball syncmaster aleksandra 02071986 attitude southpark cambiami monalisa chuckles gladiator spongebob
03082006 mazafaka meathead barefoot 12345678q cfitymrf blessing clevelan terrapin clarinet deeznutz traveler pianoman hawkeyes
casanova 10203040 meowmeow andromeda crystal1 valencia triangle rhiannon monster1 01011910 smeghead resident cerberus rockford
1q2w3e4r5 goldwing juliette gabriell crjhgbjy james007 tiberius nokia6300 hayabusa 12345679 together salamander 12qw34er thegreat
wrestling gesperrt whiskers mohammed overkill rhfcjnrf montgom240 sersolution confused rebecca1 brewster spaceman bulldog1
something runescape 12345qwe lightning recovery 01011992 megatron illusion roadking 19411945 hoosiers 01091989 adrienne
leavemealone 14725836 medicine motherfucker realmadrid balloons tinkerbell heineken moonlight 02071982 12345678a mortgage fishing1
doghouse blackbir hardcock 135792468 seahawks godfathe bookworm talisman blackjack babyface hawaiian 01011975 mortimer
123456654321 roadrunn 01011993 handyman alphabet password2 christmas digital1
`
