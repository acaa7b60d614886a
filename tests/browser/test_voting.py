"""A vote session: with the keyboard alone, on a phone by touch, undone, without an answer, to the last pair."""

from collections.abc import Iterator

import pytest
from looking import Watched, fits, stumbled_over
from playwright.sync_api import Page, Route, expect
from showcase import UNDO


def names(page: Page) -> tuple[str, str]:
    """The two that are shown."""
    left, right = page.locator(".choice .item").all_inner_texts()
    return left, right


def left_today(page: Page) -> int:
    return int(page.locator(".remaining").inner_text().split()[0])


def told(page: Page, choice: str) -> None:
    """Waits until a choice is announced, and the next two."""
    expect(page.locator(".told")).to_contain_text(f"You chose: {choice}. Next: ")


def votes(watched: Watched) -> list[str]:
    """What was sent, as the page's own requests."""
    found: list[str] = []
    watched.page.on(
        "request", lambda request: found.append(request.post_data or "") if request.method == "PUT" else None
    )
    return found


@pytest.fixture(autouse=True)
def first_pair(watched: Watched) -> Iterator[None]:
    watched.page.clock.install()
    watched.open("/pools/cakes/vote")
    expect(watched.page.locator(".choice").first).to_be_visible()
    yield
    watched.page.close()


def test_a_session_with_the_keyboard(watched: Watched, axe: str) -> None:
    page, sent = watched.page, votes(watched)
    before, many = names(page), left_today(page)
    page.keyboard.press("ArrowLeft")
    told(page, before[0])
    expect(page.locator(".held")).to_contain_text(f"You chose: {before[0]}")
    assert set(names(page)) != set(before)
    assert sent == []
    assert stumbled_over(page, axe) == []
    # Undone: nothing was sent, and the first pair is back.
    page.keyboard.press("u")
    expect(page.locator(".held")).to_be_hidden()
    assert names(page) == before
    assert left_today(page) == many
    page.keyboard.press("ArrowRight")
    told(page, before[1])
    # The next vote sends the one before it.
    second = names(page)
    page.keyboard.press(" ")
    told(page, "skipped")
    assert sent == ['{"choice":"right"}']
    assert set(names(page)) not in ({*before}, {*second})
    page.keyboard.press("b")
    told(page, "both are bad")
    assert sent[1:] == ['{"choice":"skip"}']
    # Time sends the last one.
    with page.expect_response(lambda answer: answer.request.method == "PUT") as answer:
        page.clock.fast_forward(UNDO * 1000)
    assert answer.value.status == 201
    expect(page.locator(".held")).to_be_hidden()
    assert left_today(page) == many - 3
    # The same by buttons.
    page.locator(".choice").first.focus()
    page.keyboard.press("Tab")
    if page.evaluate("document.activeElement.className") == "leads":  # a link between the two
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".held")).to_be_visible()
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator(".choice").first).to_be_focused()


def test_keys_can_be_turned_off(watched: Watched) -> None:
    page = watched.page
    page.locator(".keys summary").press("Enter")
    page.get_by_label("Vote with single keys").press(" ")
    before = names(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".held")).to_be_hidden()
    assert names(page) == before


@pytest.mark.parametrize("watched", [(390, "dark")], indirect=True)
def test_a_session_on_a_phone(watched: Watched, axe: str) -> None:
    page = watched.page
    assert fits(page)
    before = names(page)
    page.locator(".choice").nth(1).tap()
    expect(page.locator(".held")).to_contain_text(before[1])
    assert fits(page)
    assert stumbled_over(page, axe) == []
    page.get_by_role("button", name="Both are bad").tap()
    expect(page.locator(".held")).to_contain_text("both are bad")


def test_who_leaves_has_voted(watched: Watched) -> None:
    with watched.page.expect_response("**/ballots") as answer:
        watched.open("/pools/cakes/vote")
    ballot = answer.value.json()["id"]
    watched.page.keyboard.press("ArrowLeft")
    expect(watched.page.locator(".held")).to_be_visible()
    watched.open("/pools/cakes")
    url = f"{watched.site.url}/v1/pools/cakes/ballots/{ballot}"
    for _ in range(100):
        vote = watched.context.request.get(url).json()["vote"]
        if vote is not None:
            break
    assert vote["choice"] == "left"


def test_a_vote_without_an_answer_is_sent_again(watched: Watched) -> None:
    page, lost = watched.page, 0

    def lose(route: Route) -> None:
        nonlocal lost
        lost += 1
        route.fetch()  # it arrives, and the answer does not
        route.abort()

    page.keyboard.press("ArrowLeft")
    expect(page.locator(".told")).to_contain_text("Next: ")
    page.route("**/vote", lose, times=3)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".trouble")).to_be_visible()
    assert lost == 3
    watched.wrong.clear()  # the console tells of the lost answers
    page.get_by_role("button", name="Try again").press("Enter")
    expect(page.locator(".trouble")).to_be_hidden()
    expect(page.locator(".held")).to_be_hidden()


def test_the_last_pair(watched: Watched, axe: str) -> None:
    page = watched.open("/pools/two%20cakes/vote")
    expect(page.locator(".choice").first).to_be_visible()
    watched.expected.add(409)
    page.locator(".choice").first.press("Enter")
    expect(page.locator(".over")).to_contain_text("every pair")
    assert stumbled_over(page, axe) == []
    page.keyboard.press("u")
    expect(page.locator(".choice").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".over")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.clock.fast_forward(UNDO * 1000)
    page.reload()
    expect(page.locator(".over")).to_be_visible()
    page.get_by_role("link", name="See the board").click()
    page.wait_for_url("**/pools/two%20cakes")


@pytest.mark.parametrize("watched", [(390, "dark"), (1280, "light")], indirect=True)
def test_the_strip_that_undoes_moves_nothing_and_stays_in_sight(watched: Watched) -> None:
    """Whatever the next two have to say: what stands below is where it was, from the end of the two on."""
    page = watched.page
    below = """() => {
        const end = document.querySelector(".duel").getBoundingClientRect().bottom;
        const all = [...document.querySelectorAll(".others, .remaining, .keys")];
        const shown = all.filter((one) => one.checkVisibility());
        return shown.map((one) => Math.round(one.getBoundingClientRect().top - end));
    }"""
    before = page.evaluate(below)
    for _ in range(3):
        first, _ = names(page)
        page.keyboard.press("ArrowLeft")
        told(page, first)
        assert page.evaluate(below) == before
        strip = page.locator(".held").bounding_box()
        assert strip is not None
        assert strip["y"] + strip["height"] <= 800
    assert fits(page)


def test_what_is_told_of_an_item_is_there_and_leads_out_by_its_own_link(watched: Watched, axe: str) -> None:
    page = watched.page
    wanted = {
        ("Plum cake", "Yeast dough with plums and sugar, as it was made on Sundays."),
        ("<b>Fig</b> roll", "Two layers.\n<i>Figs</i> between them."),
        ("Pear tart", ""),
    }
    seen: set[tuple[str, str]] = set()
    for _ in range(40):  # which two come next is partly chance
        if wanted <= seen:
            break
        for side in page.locator(".side").all():
            name = side.locator(".item").inner_text()
            link = side.locator(".leads")
            if name in ("Plum cake", "No. 5"):
                expect(link).to_be_visible()
                assert str(link.get_attribute("href")).startswith("https://")
                assert link.get_attribute("rel") == "noopener noreferrer nofollow ugc"
                assert "example.org" in link.inner_text()
            else:
                expect(link).to_be_hidden()
            seen.add((name, side.locator(".text").inner_text()))
        said = page.locator(".told").inner_text()
        page.keyboard.press("s")
        expect(page.locator(".told")).not_to_have_text(said)
        told(page, "skipped")
    assert wanted <= seen
    assert stumbled_over(page, axe) == []
