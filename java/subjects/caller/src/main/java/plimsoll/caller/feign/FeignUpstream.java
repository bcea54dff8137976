package plimsoll.caller.feign;

import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.web.bind.annotation.GetMapping;
import plimsoll.caller.Upstream;

/** The upstream as OpenFeign calls it. */
@FeignClient(name = "upstream", url = "${caller.upstream}")
interface FeignUpstream extends Upstream {

    @Override
    @GetMapping("/")
    String fetch();
}
