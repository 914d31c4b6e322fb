package shipping

// jejuCodes are the postal codes of Jeju province.
var jejuCodes = [][2]string{{"63000", "63644"}}

// islandCodes are the postal codes of islands that carriers charge extra for: Ulleung and Dokdo first, then
// clockwise along the coast from Incheon. Collected from lists that shops publish, 2026-01; codes that only
// one of them names are left out except where they close a gap. A shop with another list edits its policy.
var islandCodes = [][2]string{
	{"40200", "40240"},                                                             // Ulleung, Dokdo
	{"22386", "22388"}, {"23004", "23010"}, {"23100", "23116"}, {"23124", "23136"}, // Incheon
	{"31708", "31708"}, {"32133", "32133"}, // South Chungcheong
	{"54000", "54000"}, {"56347", "56349"}, // North Jeolla
	{"57068", "57069"},                                                                                 // Yeonggwang
	{"58760", "58762"}, {"58800", "58810"}, {"58816", "58818"}, {"58826", "58826"}, {"58828", "58866"}, // Mokpo, Sinan
	{"58953", "58958"},                                                                                 // Jindo
	{"59102", "59103"}, {"59106", "59106"}, {"59127", "59127"}, {"59129", "59129"}, {"59137", "59166"}, // Wando
	{"59650", "59650"}, {"59766", "59766"}, {"59781", "59790"}, // Yeosu
	{"52570", "52571"}, {"53031", "53033"}, {"53089", "53104"}, // South Gyeongsang
	{"46768", "46771"}, // Busan
}
