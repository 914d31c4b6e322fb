package mail

import "github.com/cartwright-dev/cartwright/domain/order"

// trackingPages are the public pages of carriers about a parcel; its number comes behind.
var trackingPages = map[order.Carrier]string{
	order.CJ:     "https://trace.cjlogistics.com/next/tracking.html?wblNo=",
	order.Hanjin: "https://www.hanjin.com/kor/CMS/DeliveryMgr/WaybillResult.do?mCode=MN038&schLang=KR&wblnumText2=",
	order.Lotte:  "https://www.lotteglogis.com/home/reservation/tracking/linkView?InvNo=",
	order.EPost:  "https://service.epost.go.kr/trace.RetrieveDomRigiTraceList.comm?displayHeader=N&sid1=",
	order.Logen:  "https://www.ilogen.com/web/personal/trace/",
	order.UPS:    "https://www.ups.com/track?tracknum=",
	order.FedEx:  "https://www.fedex.com/fedextrack/?trknbr=",
	order.DHL:    "https://www.dhl.com/global-en/home/tracking/tracking-express.html?submit=1&tracking-id=",
	order.EMS:    "https://service.epost.go.kr/trace.RetrieveEmsRigiTraceList.comm?displayHeader=N&POST_CODE=",
}

// trackingPage is the address of the carrier's page about a parcel; "" where the parcel has no number, or its carrier no page.
func trackingPage(t order.Tracking) string {
	page := trackingPages[t.Carrier]
	if page == "" || t.Number == "" {
		return ""
	}
	return page + escapeURL(t.Number)
}
