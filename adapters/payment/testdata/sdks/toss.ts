// What a shop's page does with the action of a widget session, against the types of Toss' own browser SDK. The module
// "action" is made by TestActionFitsTheBrowserSDKOfToss.
import { loadTossPayments } from '@tosspayments/tosspayments-sdk';
import { action } from 'action';

export async function pay(): Promise<void> {
  const payments = await loadTossPayments(action.clientKey);
  const widgets = payments.widgets({ customerKey: action.customerKey });
  await widgets.setAmount(action.setAmount);
  await widgets.requestPayment({
    orderId: action.orderId, orderName: action.orderName, successUrl: action.successUrl, failUrl: action.failUrl,
    taxFreeAmount: action.taxFreeAmount,
  });
  // The types tell what does not fit: each of these has to be an error.
  // @ts-expect-error an amount is a number
  await widgets.setAmount({ value: `${action.amount.amount}`, currency: action.amount.currency });
  // @ts-expect-error an amount has a currency
  await widgets.setAmount({ value: action.amount.amount });
  // @ts-expect-error an amount is called value
  await widgets.setAmount(action.amount);
  // @ts-expect-error a tax-free amount is a number
  await widgets.requestPayment({ orderId: action.orderId, orderName: action.orderName, taxFreeAmount: `${action.taxFreeAmount}` });
  // @ts-expect-error a payment has an order
  await widgets.requestPayment({ orderName: action.orderName, successUrl: action.successUrl, failUrl: action.failUrl });
}
